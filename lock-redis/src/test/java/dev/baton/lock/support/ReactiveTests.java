package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Locks for Reactor: held until completion, error or cancellation. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("jdk")
class ReactiveTests extends OnBackend {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");

    private LockTemplate template;
    private ReactiveLockTemplate reactive;

    ReactiveTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        template = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
        reactive = new ReactiveLockTemplate(template);
    }

    @Test
    void nothingIsAskedBeforeTheSubscription() {
        Mono<String> mono = reactive.execute(X, lease -> Mono.just("done"));
        redis.resetStats();
        assertThat(redis.commandStats()).doesNotContainKey("evalsha");
        assertThat(mono.block(SOON)).isEqualTo("done");
        assertThat(mono.block(SOON)).isEqualTo("done");
        assertNothingLeft();
    }

    @Test
    void lockIsHeldWhileTheMonoWorks() {
        AtomicReference<Boolean> busy = new AtomicReference<>();
        String result = reactive.execute(
                        X,
                        lease -> Mono.delay(Duration.ofMillis(200))
                                .doOnNext(
                                        tick -> busy.set(template.tryAcquire(X).isEmpty()))
                                .thenReturn("done"))
                .block(SOON);
        assertThat(result).isEqualTo("done");
        assertThat(busy.get()).isTrue();
        assertNothingLeft();
    }

    @Test
    void emptyWorkIsEmpty() {
        assertThat(reactive.execute(X, lease -> Mono.empty()).blockOptional(SOON))
                .isEmpty();
        assertNothingLeft();
    }

    @Test
    void errorOfTheWorkReleasesAndIsPassedOn() {
        assertThatThrownBy(() -> reactive.execute(X, lease -> Mono.error(new IllegalStateException("broken")))
                        .block(SOON))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertThatThrownBy(() -> reactive.executeMany(X, lease -> Flux.error(new IllegalStateException("broken")))
                        .blockLast(SOON))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertNothingLeft();
    }

    @Test
    void cancelledWorkLetsTheNextIn() {
        Disposable working = reactive.execute(X, lease -> Mono.never()).subscribe();
        await().until(() -> redis.keys().contains(LOCK));
        working.dispose();
        template.acquire(X.waitTime(Duration.ofSeconds(2))).close();
        assertNothingLeft();
    }

    @Test
    void cancelledWaiterLeavesTheQueue() {
        Lease holder = template.acquire(X);
        Disposable mono = reactive.execute(X, lease -> Mono.never()).subscribe();
        Disposable flux = reactive.executeMany(X, lease -> Flux.never()).subscribe();
        processes.awaitWaiting(redis, "lock:queue:{x.global}", 2);
        mono.dispose();
        flux.dispose();
        await().until(() -> !redis.keys().contains("lock:queue:{x.global}"));
        holder.close();
        assertNothingLeft();
    }

    @Test
    void fluxPassesItsItemsOnWhileTheLockIsHeldAndCompletesAfterTheRelease() {
        List<Boolean> held = reactive.executeMany(X, lease -> Flux.range(1, 5).map(i -> lease.isHeld()))
                .collectList()
                .block(SOON);
        assertThat(held).hasSize(5).containsOnly(true);
        assertThat(template.tryAcquire(X)).hasValueSatisfying(Lease::close);
        assertNothingLeft();
    }

    @Test
    void fluxThatIsTakenInPartReleases() {
        assertThat(reactive.executeMany(X, lease -> Flux.interval(Duration.ofMillis(5)))
                        .take(3)
                        .collectList()
                        .block(SOON))
                .hasSize(3);
        template.acquire(X.waitTime(Duration.ofSeconds(2))).close();
        assertNothingLeft();
    }

    @Test
    void innerWorkReentersThroughTheContextAndOthersWait() {
        Mono<Long> nested = reactive.execute(
                X,
                outer -> reactive.execute(X, inner -> Mono.just(inner.fencingToken()))
                        .map(token -> token - outer.fencingToken()));
        assertThat(nested.block(SOON)).isZero();
        Mono<Long> many = reactive.executeMany(
                        X, outer -> Flux.range(1, 4).flatMap(i -> reactive.execute(X, inner -> Mono.just(i))))
                .count();
        assertThat(many.block(SOON)).isEqualTo(4);
        assertThatThrownBy(() -> reactive.execute(
                                X, outer -> reactive.execute(X.reentrant(false), inner -> Mono.just(1)))
                        .block(SOON))
                .isInstanceOf(LockDeadlockException.class);
        assertNothingLeft();
    }

    @Test
    void contextOfTheSubscriberReachesTheWork() {
        String seen = reactive.execute(
                        X, lease -> Mono.deferContextual(context -> Mono.just(context.<String>get("tenant"))))
                .contextWrite(context -> context.put("tenant", "acme"))
                .block(SOON);
        assertThat(seen).isEqualTo("acme");
    }

    @Test
    void lostLeaseIsAnErrorAfterTheWork() {
        assertThatThrownBy(() -> reactive.execute(
                                X,
                                lease -> Mono.fromSupplier(() -> {
                                    redis.command("DEL", LOCK);
                                    return "late";
                                }))
                        .block(SOON))
                .isInstanceOfSatisfying(
                        LockLostException.class, ex -> assertThat(ex.result()).isEqualTo("late"));
        assertThatThrownBy(() -> reactive.executeMany(
                                X, lease -> Flux.just(1).doOnNext(i -> redis.command("DEL", LOCK)))
                        .blockLast(SOON))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void busyLockIsATimeout() {
        try (Lease holder = template.acquire(X)) {
            assertThatThrownBy(() -> reactive.execute(X.waitTime(Duration.ofSeconds(1)), lease -> Mono.just(1))
                            .block(SOON))
                    .isInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void twoHundredSubscribersTakeTurnsOnFewThreads() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        Flux.range(0, 200)
                .flatMap(
                        i -> reactive.execute(
                                X.waitUnbounded(),
                                lease -> Mono.fromSupplier(() -> {
                                    threads.add(Thread.currentThread().getName());
                                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                    return inside.decrementAndGet();
                                })),
                        200)
                .blockLast(Duration.ofSeconds(30));
        assertThat(most).hasValue(1);
        assertThat(threads).hasSizeLessThan(10);
        assertNothingLeft();
    }

    private void assertNothingLeft() {
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> {
            assertThat(redis.lastingKeys()).containsExactly("lock:fence");
            assertThat(EngineCounters.openRequests(template)).isZero();
        });
    }
}
