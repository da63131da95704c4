package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockNames;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request with everything decided that it left open. Immutable.
 *
 * @param names the locks, sorted, none twice
 * @param owner the owner, unique over all processes
 * @param label what people read of the owner
 * @param leaseNanos the length of the lease
 * @param renewed whether the lease is extended while it is held
 * @param waitNanos how long the request may take; of a try, how long the one answer may take
 * @param unbounded whether the wait has no bound, whatever {@code waitNanos}
 * @param tries whether it asks only once
 * @param interruptible whether an interrupt ends the wait
 * @param stallNanos for how long the same holder may keep the lock meanwhile; 0 without a bound
 * @param recheck how often the request asks again, or {@code null} if as often as the engine does
 * @param events the events of the request
 */
public record AcquisitionSpec(
        List<LockName> names,
        String owner,
        String label,
        long leaseNanos,
        boolean renewed,
        long waitNanos,
        boolean unbounded,
        boolean tries,
        boolean interruptible,
        long stallNanos,
        @Nullable Duration recheck,
        RequestEvents events) {

    /** Creates the spec of an interruptible request with the engine's recheck, without a stall time and without events. */
    public AcquisitionSpec(
            List<LockName> names,
            String owner,
            String label,
            long leaseNanos,
            boolean renewed,
            long waitNanos,
            boolean unbounded,
            boolean tries) {
        this(
                names,
                owner,
                label,
                leaseNanos,
                renewed,
                waitNanos,
                unbounded,
                tries,
                true,
                0,
                null,
                RequestEvents.SILENT);
    }

    /** Returns the same spec with another way to wait. */
    public AcquisitionSpec waiting(boolean interruptible, long stallNanos, @Nullable Duration recheck) {
        return new AcquisitionSpec(
                names,
                owner,
                label,
                leaseNanos,
                renewed,
                waitNanos,
                unbounded,
                tries,
                interruptible,
                stallNanos,
                recheck,
                events);
    }

    /** Returns the same spec with these events. */
    public AcquisitionSpec events(RequestEvents other) {
        return new AcquisitionSpec(
                names,
                owner,
                label,
                leaseNanos,
                renewed,
                waitNanos,
                unbounded,
                tries,
                interruptible,
                stallNanos,
                recheck,
                other);
    }

    /** Returns the name for exceptions and listeners. */
    public String name() {
        return name(names);
    }

    /** Returns the name for people, on one line. */
    public String title() {
        return title(names);
    }

    public static String title(List<LockName> names) {
        return LockNames.printable(name(names));
    }

    public static String name(List<LockName> names) {
        return names.size() == 1
                ? names.get(0).name()
                : names.stream().map(LockName::name).collect(Collectors.joining(", "));
    }
}
