package dev.baton.lock.observation;

import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An observation registry with spans in the test exporter of Micrometer. */
final class Spans {

    final ObservationRegistry registry = ObservationRegistry.create();
    private final List<Observation.Context> begun = new CopyOnWriteArrayList<>();

    Spans() {
        registry.observationConfig()
                .observationHandler(new DefaultTracingObservationHandler(new SimpleTracer()))
                .observationHandler(new Recorder(begun));
    }

    LockTemplate template(InMemoryLockStore store, LockObservationConvention convention) {
        return LockTemplate.builder(store)
                .time(store.clock())
                .shutdownAwait(Duration.ZERO)
                .observer(new ObservedLocks(registry, convention))
                .build();
    }

    /** Starts an observation of the application. */
    Observation begin(String name) {
        return Observation.start(name, registry);
    }

    /** Returns the current observation of this thread. */
    @Nullable
    Observation current() {
        return registry.getCurrentObservation();
    }

    /** Returns the spans of the observations of a name, in the order of their starts. */
    List<SimpleSpan> named(String name) {
        return begun.stream()
                .filter(context -> context.getName().equals(name))
                .map(Spans::span)
                .toList();
    }

    List<SimpleSpan> locks() {
        return named(DefaultLockObservationConvention.NAME);
    }

    /** Returns the only span of a lock. */
    SimpleSpan lock() {
        List<SimpleSpan> locks = locks();
        if (locks.size() != 1) {
            throw new AssertionError("not exactly one span of a lock: " + locks);
        }
        return locks.get(0);
    }

    static boolean isOver(SimpleSpan span) {
        return span.getEndTimestamp().toEpochMilli() != 0;
    }

    /** Returns the name of the parent observation of a span. */
    String parent(SimpleSpan span) {
        return begun.stream()
                .filter(other ->
                        span(other).context().spanId().equals(span.context().parentId()))
                .map(Observation.Context::getName)
                .findFirst()
                .orElse("none");
    }

    private static SimpleSpan span(Observation.Context context) {
        TracingObservationHandler.TracingContext tracing =
                context.getRequired(TracingObservationHandler.TracingContext.class);
        return (SimpleSpan) tracing.getSpan();
    }

    private record Recorder(List<Observation.Context> begun) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            begun.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
