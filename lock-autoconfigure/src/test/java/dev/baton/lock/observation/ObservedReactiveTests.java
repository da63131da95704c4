package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.tracing.test.simple.SimpleSpan;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** Tests observations of locks in reactive chains, with and without the automatic context propagation of Reactor. */
class ObservedReactiveTests {

    private static final LockRequest REQUEST = LockRequest.of("account", 42);
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final Spans spans = new Spans();
    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private LockTemplate locks = spans.template(store, new DefaultLockObservationConvention(false));

    @AfterEach
    void nothingIsLeftInThisThread() {
        Hooks.disableAutomaticContextPropagation();
        assertThat(spans.current()).isNull();
        locks.close();
    }

    /** A publisher of one value or of many. */
    enum Shape {
        ONE,
        MANY;

        Flux<Integer> under(LockTemplate locks, Function<Lease, Mono<Integer>> work) {
            ReactiveLockTemplate reactive = new ReactiveLockTemplate(locks);
            return this == ONE ? reactive.execute(REQUEST, work).flux() : reactive.executeMany(REQUEST, work);
        }
    }

    static Stream<Object[]> shapes() {
        return Stream.of(Shape.values())
                .flatMap(shape -> Stream.of(new Object[] {shape, false}, new Object[] {shape, true}));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void parentIsThatOfTheSubscriberContextInAnyThread(Shape shape, boolean automatic) {
        if (automatic) {
            Hooks.enableAutomaticContextPropagation();
        }
        Observation around = spans.begin("request");
        shape.under(locks, lease -> child())
                .subscribeOn(Schedulers.parallel())
                .contextWrite(context(around))
                .blockLast(BOUND);
        around.stop();
        SimpleSpan lock = awaitLock();
        assertThat(spans.parent(lock)).isEqualTo("request");
        assertThat(spans.parent(spans.named("child").get(0))).isEqualTo("baton.lock");
        assertThat(lock.getTags()).containsEntry("baton.outcome", "granted");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void operatorsAfterTheLockAreOutsideTheSpan(Shape shape, boolean automatic) {
        if (automatic) {
            Hooks.enableAutomaticContextPropagation();
        }
        Observation around = spans.begin("request");
        shape.under(locks, lease -> Mono.just(1))
                .concatMap(value -> child())
                .contextWrite(context(around))
                .blockLast(BOUND);
        around.stop();
        assertThat(spans.parent(spans.named("child").get(0))).isEqualTo("request");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void failureOfTheWorkIsTheErrorOfTheSpan(Shape shape, boolean automatic) {
        assertThatThrownBy(() -> shape.under(locks, lease -> Mono.error(new IllegalStateException("the work's own")))
                        .blockLast(BOUND))
                .hasMessage("the work's own");
        SimpleSpan lock = awaitLock();
        assertThat(lock.getError()).hasMessage("the work's own");
        assertThat(lock.getTags()).containsEntry("baton.outcome", "granted");
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void cancellationEndsTheSpan(Shape shape, boolean automatic) {
        CompletableFuture<Lease> begun = new CompletableFuture<>();
        Disposable subscription = shape.under(locks, lease -> {
                    begun.complete(lease);
                    return Mono.never();
                })
                .subscribe();
        begun.join();
        subscription.dispose();
        awaitLock();
        await().until(() -> !locks.isLocked(REQUEST));
    }

    @Test
    void conventionOfTheApplicationIsHonoured() {
        locks.close();
        locks = spans.template(store, new CustomConvention());
        for (Shape shape : Shape.values()) {
            shape.under(locks, lease -> Mono.just(1)).blockLast(BOUND);
        }
        await().until(() -> spans.named("my.lock").stream().allMatch(Spans::isOver));
        assertThat(spans.named("my.lock")).hasSize(2);
        assertThat(spans.locks()).isEmpty();
    }

    /** The work, with a span as the child of the observation in its context. */
    private Mono<Integer> child() {
        return Mono.deferContextual(context -> {
            Observation child = Observation.createNotStarted("child", spans.registry);
            Observation parent = context.getOrDefault(ObservationThreadLocalAccessor.KEY, null);
            if (parent != null) {
                child.parentObservation(parent);
            }
            child.start().stop();
            return Mono.just(1);
        });
    }

    private static Function<Context, Context> context(Observation current) {
        return context -> context.put(ObservationThreadLocalAccessor.KEY, current);
    }

    private SimpleSpan awaitLock() {
        await().until(() -> spans.locks().size() == 1 && Spans.isOver(spans.lock()));
        return spans.lock();
    }

    /** Asserts that no scope is left in the subscribing threads and in the callback threads of Baton. */
    private void assertNothingIsLeft() {
        Hooks.disableAutomaticContextPropagation();
        assertThat(Flux.range(0, 50)
                        .flatMap(i ->
                                Mono.fromCallable(() -> spans.current() == null).subscribeOn(Schedulers.parallel()))
                        .collectList()
                        .block(BOUND))
                .containsOnly(true);
        for (int i = 0; i < 20; i++) {
            LockRequest other = LockRequest.of("other", i);
            assertThat(locks.acquireAsync(other)
                            .thenApply(lease -> {
                                lease.releaseAsync();
                                return spans.current() == null;
                            })
                            .toCompletableFuture()
                            .join())
                    .isTrue();
        }
    }
}
