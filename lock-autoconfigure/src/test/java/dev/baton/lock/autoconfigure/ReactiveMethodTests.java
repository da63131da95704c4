package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.reactive.ReactiveLockContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests locked methods with a Mono or a Flux on a real Redis: each subscription acquires the lock. */
@Timeout(60)
class ReactiveMethodTests {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final LockRequest JOB = LockRequest.of("job");
    private static final String NAME = "job.global";

    private final TestRedis redis = TestRedis.start();

    private final ApplicationContextRunner runner = Contexts.with(redis)
            .withBean("jobs", Jobs.class)
            .withPropertyValues("baton.recheck=20s", "baton.wait-time=30s");

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void secondCallerWaitsUntilTheMonoOfTheFirstCallerIsDone() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            AtomicReference<Long> begun = new AtomicReference<>();
            CompletableFuture<Long> first = jobs.one(() -> {
                        begun.set(System.nanoTime());
                        return Mono.delay(Duration.ofSeconds(2));
                    })
                    .toFuture();
            Waiters.awaitHeld(redis, NAME);
            assertThat(first).isNotDone();
            long second = jobs.one(() -> Mono.just(System.nanoTime())).block(SOON);
            // the result is emitted after the release
            assertThat(first).succeedsWithin(Duration.ofSeconds(5));
            assertThat(Duration.ofNanos(second - begun.get())).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        });
    }

    @Test
    void secondCallerGetsTheLockAfterTheFirstIsCancelled() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Disposable first =
                    jobs.one(() -> Mono.delay(Duration.ofSeconds(30))).subscribe();
            Waiters.awaitHeld(redis, NAME);
            CompletableFuture<Long> second = jobs.one(() -> Mono.just(2L)).toFuture();
            Waiters.awaitQueue(locks(context), JOB, 1);
            Mono.delay(Duration.ofMillis(500)).block();
            assertThat(second).isNotDone();
            first.dispose();
            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(2L);
        });
    }

    @Test
    void twoHundredSubscribersWaitOnFewThreads() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Waiters.letOneWait(locks(context), JOB);
            Lease holder = locks(context).acquire(JOB);
            int before = Waiters.threads();
            AtomicInteger inside = new AtomicInteger();
            CompletableFuture<Long> all = Flux.range(0, 200)
                    .flatMap(i -> jobs.one(() -> Mono.just((long) inside.incrementAndGet())), 200)
                    .count()
                    .toFuture();
            Waiters.awaitQueue(locks(context), JOB, 200);
            assertThat(Waiters.threads() - before).isLessThan(10);
            assertThat(inside).hasValue(0);
            holder.close();
            assertThat(all.get(30, TimeUnit.SECONDS)).isEqualTo(200L);
        });
    }

    @Test
    void eachSubscriptionAcquiresTheLock() {
        runner.run(context -> {
            AtomicInteger calls = new AtomicInteger();
            Mono<Long> mono = context.getBean(Jobs.class).one(() -> Mono.just((long) calls.incrementAndGet()));
            assertThat(calls).hasValue(0);
            try (Lease holder = locks(context).acquire(JOB)) {
                assertThat(calls).hasValue(0);
                assertThat(holder.isHeld()).isTrue();
            }
            assertThat(mono.block(SOON)).isEqualTo(1);
            assertThat(mono.block(SOON)).isEqualTo(2);
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void itemsOfAFluxArePassedOnWhileTheLockIsHeld() {
        runner.run(context -> {
            LockOperations locks = locks(context);
            List<Boolean> busy = context.getBean(Jobs.class)
                    .many(() -> Flux.just(1L, 2L, 3L))
                    .map(item -> locks.isLocked(JOB))
                    .collectList()
                    .block(SOON);
            assertThat(busy).containsExactly(true, true, true);
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void partlyConsumedFluxReleasesTheLock() {
        runner.run(context -> {
            assertThat(context.getBean(Jobs.class)
                            .many(() -> Flux.interval(Duration.ofMillis(5)))
                            .take(3)
                            .collectList()
                            .block(SOON))
                    .hasSize(3);
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void otherPublishersAreLocked() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            LockOperations locks = locks(context);
            assertThat(Flux.from(jobs.publisher()).map(i -> locks.isLocked(JOB)).blockLast(SOON))
                    .isTrue();
            assertThat(JdkFlowAdapter.flowPublisherToFlux(jobs.flow())
                            .map(i -> locks.isLocked(JOB))
                            .blockLast(SOON))
                    .isTrue();
        });
    }

    @Test
    void errorOfTheWorkReleasesTheLockAndIsUnchanged() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            IllegalStateException own = new IllegalStateException("own");
            assertThat(catchThrowable(() -> jobs.one(() -> Mono.error(own)).block(SOON)))
                    .isSameAs(own);
            assertThat(catchThrowable(() -> jobs.one(() -> {
                                throw own;
                            })
                            .block(SOON)))
                    .isSameAs(own);
            assertThat(catchThrowable(() -> jobs.many(() -> Flux.error(own)).blockLast(SOON)))
                    .isSameAs(own);
            Waiters.awaitFree(redis, NAME);
        });
    }

    @Test
    void lostLeaseIsAnErrorUnlessTheWorkHasFailed() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(
                            () -> jobs.one(() -> Mono.fromSupplier(this::lose)).block(SOON))
                    .satisfies(lost -> assertThat(lost.result()).isEqualTo(7L));
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() ->
                            jobs.many(() -> Flux.defer(() -> Flux.just(lose()))).blockLast(SOON));
            IllegalStateException own = new IllegalStateException("own");
            assertThat(catchThrowable(
                            () -> jobs.one(() -> Mono.fromSupplier(this::lose).then(Mono.error(own)))
                                    .block(SOON)))
                    .isSameAs(own);
            assertThat(own.getSuppressed()).anyMatch(LockLostException.class::isInstance);
        });
    }

    @Test
    void busyLockIsATimeoutOrTheFallbackOfTheMethod() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            try (Lease holder = locks(context).acquire(JOB)) {
                assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(() -> jobs.failing().block(SOON));
                assertThat(jobs.skipping().blockOptional(SOON)).isEmpty();
                assertThat(jobs.skippingMany().collectList().block(SOON)).isEmpty();
                assertThat(jobs.answering(7).block(SOON)).isEqualTo(-7);
                assertThat(jobs.asking(8).collectList().block(SOON)).containsExactly(-8L);
                assertThat(holder.isHeld()).isTrue();
            }
        });
    }

    @Test
    void workSeesTheContextAndTheLease() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            AtomicReference<@Nullable Lease> current = new AtomicReference<>();
            List<Boolean> same = jobs.many(() -> {
                        Lease lease = LockContext.currentLease();
                        current.set(lease);
                        return Flux.deferContextual(view -> Flux.just(view.<Long>get("tenant")))
                                .delayElements(Duration.ofMillis(10))
                                .filterWhen(tenant -> ReactiveLockContext.currentLease()
                                        .map(known -> known.fencingToken() == lease.fencingToken()));
                    })
                    .contextWrite(view -> view.put("tenant", 5L))
                    .map(tenant -> tenant == 5)
                    .collectList()
                    .block(SOON);
            assertThat(same).containsExactly(true);
            assertThat(current.get()).isNotNull();
        });
    }

    @Test
    void innerCallOfTheSameLockIsReentrantAndCallsOfAnotherLockExcludeEachOther() {
        runner.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThat(jobs.one(() -> jobs.one(() -> Mono.just(3L))).block(Duration.ofSeconds(5)))
                    .isEqualTo(3);
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            jobs.many(() -> Flux.range(0, 4)
                            .flatMap(i -> jobs.other(() -> Mono.fromRunnable(
                                            () -> most.accumulateAndGet(inside.incrementAndGet(), Math::max))
                                    .then(Mono.delay(Duration.ofMillis(20)))
                                    .doOnNext(tick -> inside.decrementAndGet()))))
                    .blockLast(SOON);
            assertThat(most).hasValue(1);
        });
    }

    private long lose() {
        redis.command("DEL", "lock:lock:{" + NAME + "}");
        return 7;
    }

    private static LockOperations locks(ApplicationContext context) {
        return context.getBean(LockOperations.class);
    }

    static class Jobs {

        @DistributedLock("job")
        public Mono<Long> one(Supplier<Mono<Long>> work) {
            return work.get();
        }

        @DistributedLock("other")
        public Mono<Long> other(Supplier<Mono<Long>> work) {
            return work.get();
        }

        @DistributedLock("job")
        public Flux<Long> many(Supplier<Flux<Long>> work) {
            return work.get();
        }

        @DistributedLock("job")
        public Publisher<Long> publisher() {
            return Mono.just(1L);
        }

        @DistributedLock("job")
        public Flow.Publisher<Long> flow() {
            return JdkFlowAdapter.publisherToFlowPublisher(Flux.just(1L));
        }

        @DistributedLock(value = "job", waitTime = 0)
        public Mono<Long> failing() {
            return Mono.just(1L);
        }

        @DistributedLock(value = "job", waitTime = 0, whenBusy = WhenBusy.SKIP)
        public Mono<Long> skipping() {
            return Mono.just(1L);
        }

        @DistributedLock(value = "job", waitTimeString = "50ms", whenBusy = WhenBusy.SKIP)
        public Flux<Long> skippingMany() {
            return Flux.just(1L);
        }

        @DistributedLock(value = "job", waitTime = 0, onTimeout = "negative")
        public Mono<Long> answering(long id) {
            return Mono.just(id);
        }

        Mono<Long> negative(long id, LockTimeoutException timeout) {
            return Mono.just(-id);
        }

        @DistributedLock(value = "job", waitTime = 0, onTimeout = "@jobs.negatives(#id)")
        public Flux<Long> asking(long id) {
            return Flux.just(id);
        }

        public Flux<Long> negatives(long id) {
            return Flux.just(-id);
        }
    }
}
