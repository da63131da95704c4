package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.reactive.ReactiveLockTemplate;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests the spans of work under a lock. */
class ObservedLocksTests {

    private static final LockRequest REQUEST = LockRequest.of("account", 42);

    private final SimpleTracer tracer = new SimpleTracer();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final LockTemplate holder = template(store.newProcess(), null);

    private LockTemplate locks = template(store, new DefaultLockObservationConvention(false));

    ObservedLocksTests() {
        registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    }

    @AfterEach
    void stop() {
        locks.close();
        holder.close();
    }

    @Test
    void spanEnclosesWaitAndWorkWithTheGrantAsAnEvent() {
        Observation inside = locks.execute(REQUEST, lease -> registry.getCurrentObservation());
        SimpleSpan span = tracer.onlySpan();
        assertThat(inside).isNotNull();
        assertThat(registry.getCurrentObservation()).isNull();
        assertThat(span.getName()).isEqualTo("lock account");
        assertThat(span.getTags())
                .containsEntry("baton.scope", "account")
                .containsEntry("baton.outcome", "granted")
                .doesNotContainKeys("baton.name", "baton.waited.for");
        assertThat(span.getEvents())
                .singleElement()
                .satisfies(event -> assertThat(event.getValue()).isEqualTo("lock granted"));
    }

    @Test
    void spanOfAWaiterNamesTheHolder() {
        Lease held = holder.acquire(REQUEST.owner("night-job"));
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> locks.execute(REQUEST, lease -> 1));
        await().until(() -> holder.inspect(REQUEST).waiting() == 1);
        held.close();
        waiting.join();
        assertThat(tracer.onlySpan().getTags())
                .containsEntry("baton.outcome", "granted")
                .hasEntrySatisfying(
                        "baton.waited.for", label -> assertThat(label).endsWith("/night-job"));
    }

    @Test
    void timeoutIsAnOutcomeAndNoError() {
        try (Lease held = holder.acquire(REQUEST.owner("night-job"))) {
            assertThatThrownBy(() -> locks.execute(REQUEST.waitTime(Duration.ofMillis(20)), lease -> 1))
                    .isInstanceOf(LockTimeoutException.class);
        }
        SimpleSpan span = tracer.onlySpan();
        assertThat(span.getTags())
                .containsEntry("baton.outcome", "timeout")
                .hasEntrySatisfying(
                        "baton.waited.for", label -> assertThat(label).endsWith("/night-job"));
        assertThat(span.getError()).isNull();
        assertThat(span.getEvents()).isEmpty();
    }

    @Test
    void failureOfTheWorkIsTheErrorOfTheSpan() {
        assertThatThrownBy(() -> locks.execute(REQUEST, lease -> {
                    throw new IllegalStateException("the work's own");
                }))
                .hasMessage("the work's own");
        assertThat(tracer.onlySpan().getError()).hasMessage("the work's own");
        assertThat(tracer.onlySpan().getTags()).containsEntry("baton.outcome", "granted");
    }

    @Test
    void nameIsAKeyValueOnlyIfConfigured() {
        locks.close();
        locks = template(store, new DefaultLockObservationConvention(true));
        locks.execute(REQUEST, lease -> 1);
        assertThat(tracer.onlySpan().getTags()).containsEntry("baton.name", "account.42");
    }

    @Test
    void conventionOfTheApplicationIsHonoured() {
        locks.close();
        locks = template(store, new LockObservationConvention() {
            @Override
            public String getName() {
                return "my.lock";
            }

            @Override
            public String getContextualName(LockObservationContext context) {
                return "mine of " + context.scope();
            }
        });
        locks.execute(REQUEST, lease -> 1);
        assertThat(tracer.onlySpan().getName()).isEqualTo("mine of account");
    }

    @Test
    void spanOfAsynchronousWorkIsCurrentAtItsStartAndEndsWithIt() {
        CompletableFuture<Integer> work = new CompletableFuture<>();
        CompletableFuture<Observation> inside = new CompletableFuture<>();
        CompletableFuture<Integer> result = locks.executeAsync(REQUEST, lease -> {
                    inside.complete(registry.getCurrentObservation());
                    return work;
                })
                .toCompletableFuture();
        assertThat(inside.join()).isNotNull();
        assertThat(registry.getCurrentObservation()).isNull();
        assertThat(tracer.getSpans())
                .singleElement()
                .satisfies(span ->
                        assertThat(span.getEndTimestamp().toEpochMilli()).isZero());
        work.complete(1);
        assertThat(result.join()).isEqualTo(1);
        await().untilAsserted(() -> assertThat(tracer.onlySpan()).isNotNull());
        assertThat(tracer.onlySpan().getTags()).containsEntry("baton.outcome", "granted");
    }

    @Test
    void spanOfReactiveWorkIsInItsContext() {
        Map<Object, Object> context = new ReactiveLockTemplate(locks)
                .execute(
                        REQUEST,
                        lease -> Mono.deferContextual(view -> Mono.just(Map.<Object, Object>of(
                                "observation", view.getOrDefault(ObservationThreadLocalAccessor.KEY, "none")))))
                .contextWrite(outer -> outer.put("application", "its own"))
                .block(Duration.ofSeconds(10));
        assertThat(context.get("observation")).isInstanceOf(Observation.class);
        await().untilAsserted(() -> assertThat(tracer.onlySpan()).isNotNull());
    }

    private LockTemplate template(InMemoryLockStore store, LockObservationConvention convention) {
        return LockTemplate.builder(store)
                .time(store.clock())
                .shutdownAwait(Duration.ZERO)
                .observer(convention == null ? null : new ObservedLocks(registry, convention))
                .build();
    }
}
