package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockNames;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.LockName;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request with everything decided that it left open.
 *
 * @param names its locks, sorted, none twice
 * @param waitNanos how long it may take; of a try, how long the one answer may take
 * @param tries whether it asks only once
 * @param renewed whether its lease is extended while it is held
 * @param manner how it waits, besides how long
 * @param events the events of the request
 */
public record ClaimSpec(
        List<LockName> names,
        String owner,
        String label,
        long leaseNanos,
        boolean renewed,
        long waitNanos,
        boolean unbounded,
        boolean tries,
        WaitManner manner,
        RequestEvents events) {

    public ClaimSpec(
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
                WaitManner.PLAIN,
                RequestEvents.SILENT);
    }

    /** The same waiting in this manner. */
    public ClaimSpec manner(WaitManner other) {
        return new ClaimSpec(names, owner, label, leaseNanos, renewed, waitNanos, unbounded, tries, other, events);
    }

    /** The same, of which this is told. */
    public ClaimSpec events(RequestEvents other) {
        return new ClaimSpec(names, owner, label, leaseNanos, renewed, waitNanos, unbounded, tries, manner, other);
    }

    /** What exceptions and listeners call it. */
    public String name() {
        return name(names);
    }

    /** What people call it, on one line. */
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
