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
 * The meters of observed locks: the same as those of Micrometer's {@code DefaultMeterObservationHandler}, in whose place it stands
 * for observations of locks. That one has the registry look for three meters per lock that is taken; here they are kept. Thread-safe.
 */
public final class LockObservationMeters implements MeterObservationHandler<LockObservationContext> {

    /** How many meters of a kind are kept; more are looked for each time. */
    static final int MOST_KEPT = 1_000;

    private final MeterRegistry registry;
    private final boolean longTasks;
    private final Kept<LongTaskTimer> active = new Kept<>();
    private final Kept<Timer> timers = new Kept<>();
    private final Kept<Counter> events = new Kept<>();

    /**
     * Creates them; none is registered yet.
     *
     * @param longTasks whether locks that are waited for or held have a long task timer
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
        String name = context.getName(); // a convention may have none
        return new Id(
                name == null ? DefaultLockObservationConvention.NAME : name,
                context.getLowCardinalityKeyValues(),
                more);
    }

    /** What was begun with an observation; the task is null if there is none. */
    record Measured(Timer.Sample timed, LongTaskTimer.@Nullable Sample task) {}

    /** Which meter; {@code more} is the event or the error. */
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

        /** Others take the place of all: one that is removed while it is being looked for is not kept. */
        void clear() {
            meters = new ConcurrentHashMap<>();
        }
    }
}
