package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockNames;
import dev.baton.lock.LockPermits;
import dev.baton.lock.engine.event.RequestEvents;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request, complete with everything that it left to the defaults. Immutable.
 *
 * @param names the locks, sorted, none twice
 * @param owner the owner, unique over all processes
 * @param label the owner for people
 * @param leaseNanos the length of the lease
 * @param renewed whether the lease is renewed while it is held
 * @param waitNanos how long the request may take; for a try, how long the one answer may take
 * @param unbounded whether the wait has no bound, whatever {@code waitNanos} says
 * @param tries whether the request asks only once
 * @param interruptible whether an interrupt ends the wait
 * @param stallNanos how long the same holder may keep the lock meanwhile, or 0 for no bound
 * @param recheck how often the request asks again, or {@code null} for the engine's recheck
 * @param polling the longest pause between two acquires if the request polls: each acquire is a try, so it joins neither
 *     a queue nor a cohort, and no message is sent to it. {@code null} if the request does not poll
 * @param events the events of the request
 * @param shared those of the locks that the request shares with other readers; empty if it is exclusive
 * @param taking when the request takes its locks from their holders
 * @param permits how many permits the request takes of the semaphore that it shares, or {@code null} if it asks for locks
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
        @Nullable Duration polling,
        RequestEvents events,
        Set<LockName> shared,
        Taking taking,
        @Nullable LockPermits permits) {

    /** Creates the spec of an exclusive request that takes no lock from its holder. */
    public AcquisitionSpec(
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
            @Nullable Duration polling,
            RequestEvents events) {
        this(
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
                polling,
                events,
                Set.of(),
                Taking.NEVER,
                null);
    }

    /** Returns the same request as a reader of these locks. */
    public AcquisitionSpec sharing(Set<LockName> locks) {
        return sharing(locks, null);
    }

    /** Returns the same request for permits of its semaphore. */
    public AcquisitionSpec withPermits(LockPermits taken) {
        return sharing(Set.copyOf(names), taken);
    }

    private AcquisitionSpec sharing(Set<LockName> locks, @Nullable LockPermits taken) {
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
                polling,
                events,
                locks,
                taking,
                taken);
    }

    /** Returns the same request, which takes its locks from their holders. At once, the stall time has no meaning. */
    public AcquisitionSpec taking(Taking when) {
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
                when == Taking.AT_ONCE ? 0 : stallNanos,
                recheck,
                polling,
                events,
                shared,
                when,
                permits);
    }

    /** Returns the spec of a ticket that asks as this request does, but for as long as it is wanted, and without events. */
    public AcquisitionSpec withoutBound() {
        return new AcquisitionSpec(
                names,
                owner,
                label,
                leaseNanos,
                renewed,
                0,
                true,
                false,
                false,
                0,
                recheck,
                polling,
                RequestEvents.SILENT,
                shared,
                Taking.NEVER,
                permits);
    }

    /**
     * Returns the spec of the request that gets the lock back after a wait at a condition. The caller of the wait bounds it.
     *
     * @param length the length of its lease, in nanoseconds
     * @param given the events of the new request
     */
    public AcquisitionSpec back(long length, RequestEvents given) {
        return new AcquisitionSpec(
                names, owner, label, length, renewed, 0, true, false, false, 0, recheck, null, given);
    }

    /** Returns the request of a ticket, as an acquire describes it. */
    Request request(String id, Kind kind, long leaseMillis, long patienceMillis, long passMillis, int reserve) {
        return new Request(
                id, kind, leaseMillis, patienceMillis, passMillis, owner, label, reserve, shared, permits, "", false);
    }

    /** Returns whether the request may join a queue of the store. */
    public boolean queues() {
        return !tries && polling == null;
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
