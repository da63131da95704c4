package dev.baton.lock.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records the meters of observed locks. Replaces Micrometer's {@code DefaultMeterObservationHandler} for lock
 * observations, and records the same meters. That handler has the registry look up three meters per acquired lock; this
 * handler caches them. Thread-safe.
 */
public final class LockObservationMeters implements MeterObservationHandler<LockObservationContext> {

    /** Maximum number of cached meters of a kind. Further meters are looked up each time. */
    static final int MOST_KEPT = 1_000;

    private final MeterRegistry registry;
    private final boolean longTasks;
    private final Kept<LongTaskTimer> active = new Kept<>();
    private final Kept<Timer> timers = new Kept<>();
    private final Kept<Counter> events = new Kept<>();

    /**
     * Creates the handler; no meter is registered yet.
     *
     * @param longTasks whether a long task timer measures locks that are currently waited for or held
     */
    public LockObservationMeters(MeterRegistry registry, boolean longTasks) {
        this.registry = registry;
        this.longTasks = longTasks;
        registry.config().onMeterRemoved(meter -> {
            active.clear();
            timers.clear();
            events.clear();
        });
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }

    @Override
    public void onStart(LockObservationContext context) {
        LongTaskTimer.Sample task = longTasks
                ? active.get(
                                id(context, ""),
                                id -> LongTaskTimer.builder(id.name + ".active")
                                        .tags(id.tags())
                                        .register(registry))
                        .start()
                : null;
        context.measured = new Measured(Timer.start(registry), task);
    }

    @Override
    public void onEvent(Observation.Event event, LockObservationContext context) {
        events.get(
                        id(context, event.getName()),
                        id -> Counter.builder(id.name + "." + id.more)
                                .tags(id.tags())
                                .register(registry))
                .increment();
    }

    @Override
    public void onStop(LockObservationContext context) {
        Measured measured = context.measured;
        if (measured == null) {
            return;
        }
        Throwable error = context.getError();
        String kind = error == null ? KeyValue.NONE_VALUE : error.getClass().getSimpleName();
        measured.timed.stop(timers.get(
                id(context, kind),
                id -> Timer.builder(id.name)
                        .tags(Tags.concat(id.tags(), "error", id.more))
                        .register(registry)));
        if (measured.task != null) {
            measured.task.stop();
        }
    }

    private static Id id(LockObservationContext context, String more) {
        String name = context.getName(); // a convention may return no name
        return new Id(
                name == null ? DefaultLockObservationConvention.NAME : name,
                context.getLowCardinalityKeyValues(),
                more);
    }

    /** Measurements started with an observation; the task is {@code null} if there is no long task timer. */
    record Measured(Timer.Sample timed, LongTaskTimer.@Nullable Sample task) {}

    /** Identifies a meter; {@code more} is the event or the error. */
    private record Id(String name, KeyValues values, String more) {

        List<Tag> tags() {
            List<Tag> tags = new ArrayList<>();
            for (KeyValue value : values) {
                tags.add(Tag.of(value.getKey(), value.getValue()));
            }
            return tags;
        }
    }

    private static final class Kept<M> {

        private volatile ConcurrentHashMap<Id, M> meters = new ConcurrentHashMap<>();

        M get(Id id, Function<Id, M> registered) {
            ConcurrentHashMap<Id, M> now = meters;
            M known = now.get(id);
            if (known != null) {
                return known;
            }
            M meter = registered.apply(id);
            if (now.size() < MOST_KEPT) {
                now.put(id, meter);
            }
            return meter;
        }

        /** Replaces the whole map, so that a meter that is removed during its lookup is not cached. */
        void clear() {
            meters = new ConcurrentHashMap<>();
        }
    }
}
