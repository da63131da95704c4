package dev.baton.lock.store;

import dev.baton.lock.LockPermits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a lock, or for several locks together, on behalf of requests of one process, in the order of their arrival.
 * The oldest waiting request of a process repeats the command once per recheck, on behalf of all: this shows that the
 * process is alive.
 *
 * @param names the locks, which are granted all or none; a command for several locks has only one request
 * @param requests the requests, 1 to {@link #MAX_REQUESTS}
 * @param recheck the recheck interval; a process counts as dead after three intervals without an acquire
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds; the store may still carry
 *     out the command later
 * @param caller the calling thread, or {@code null} if this thread does not wait for the answer right away
 */
public record AcquireCommand(
        List<LockName> names,
        List<Request> requests,
        Duration recheck,
        long timeoutNanos,
        @Nullable WaitingCaller caller) {

    public static final int MAX_REQUESTS = 256;

    /**
     * Checks the number of requests.
     *
     * @throws IllegalArgumentException if several requests ask for several locks
     */
    public AcquireCommand {
        if (names.size() > 1 && requests.size() > 1) {
            throw new IllegalArgumentException(requests.size() + " requests ask for " + names.size()
                    + " locks in one command; only one may ask for several");
        }
    }

    /** Creates a command whose calling thread does not wait for the answer right away. */
    public AcquireCommand(List<LockName> names, List<Request> requests, Duration recheck, long timeoutNanos) {
        this(names, requests, recheck, timeoutNanos, null);
    }

    /** Returns whether a request shares a lock. */
    public boolean isShared() {
        for (Request request : requests) {
            if (!request.shared().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The way in which a request learns of its grant. */
    public enum Kind {
        /**
         * Does not wait: the request is granted by the answer, or not at all. A request that polls is a try each time.
         */
        TRY,
        /** Waits, and is notified through the inbox. */
        MESSAGE,
        /** Waits, cannot be notified just now, and learns of its grant when it asks again. */
        POLL
    }

    /**
     * One request. All but its kind stays the same in every command: a store may find a waiter by it.
     *
     * @param id the id of the request, never used again
     * @param kind the way in which the request learns of its grant
     * @param leaseMillis the length of the lease in milliseconds, positive
     * @param patienceMillis how long the request waits from its arrival, in milliseconds, or -1 if it waits without a
     *     bound
     * @param passMillis the time from the arrival of a request for several locks, in milliseconds, during which other
     *     requests may be granted one of these locks that is free. After that time, free locks are kept for the
     *     request. Not negative, and without a meaning for one lock
     * @param owner the owner that asks
     * @param label the owner that asks, as shown to people
     * @param reserve how many tokens after that of the grant to reserve for the process of the request, not negative.
     *     An acquire that grants the request at once, without a wait, reserves none. The token says whether tokens are
     *     reserved, see {@link Tokens}
     * @param shared those of the locks that the request shares with other requests that share them: it is a reader of
     *     these locks, and a writer of all others. A request that shares a lock reserves no tokens
     * @param permits how many permits of a semaphore the request takes, and its size; {@code null} if it asks for locks.
     *     A request for permits asks for one semaphore, which it shares. It is granted them if so many are free; for a
     *     while after its arrival, other requests may be granted permits before it
     * @param condition the condition that the request awaits, or has awaited, before it asks for its lock; empty if there
     *     is none. Such a request asks for one lock, and is a writer. See {@link AwaitCommand}
     * @param awaits whether the request still awaits its condition. If not, it leaves the list of the condition, and asks
     *     for its lock
     */
    public record Request(
            String id,
            Kind kind,
            long leaseMillis,
            long patienceMillis,
            long passMillis,
            String owner,
            String label,
            int reserve,
            Set<LockName> shared,
            @Nullable LockPermits permits,
            String condition,
            boolean awaits) {

        /** Creates a request that shares no lock. */
        public Request(
                String id,
                Kind kind,
                long leaseMillis,
                long patienceMillis,
                long passMillis,
                String owner,
                String label,
                int reserve) {
            this(id, kind, leaseMillis, patienceMillis, passMillis, owner, label, reserve, Set.of(), null, "", false);
        }

        /** Creates a request that reserves no tokens. */
        public Request(
                String id,
                Kind kind,
                long leaseMillis,
                long patienceMillis,
                long passMillis,
                String owner,
                String label) {
            this(id, kind, leaseMillis, patienceMillis, passMillis, owner, label, 0);
        }

        /** Returns the same request with another kind. */
        public Request as(Kind kind) {
            return new Request(
                    id,
                    kind,
                    leaseMillis,
                    patienceMillis,
                    passMillis,
                    owner,
                    label,
                    reserve,
                    shared,
                    permits,
                    condition,
                    awaits);
        }

        /** Returns the same request, which awaits a condition, or has awaited it; an empty one for none. */
        public Request at(String otherCondition, boolean stillAwaits) {
            return new Request(
                    id,
                    kind,
                    leaseMillis,
                    patienceMillis,
                    passMillis,
                    owner,
                    label,
                    reserve,
                    shared,
                    permits,
                    otherCondition,
                    stillAwaits);
        }

        /** Returns the same request as a reader of these locks. */
        public Request sharing(Set<LockName> locks) {
            return new Request(
                    id,
                    kind,
                    leaseMillis,
                    patienceMillis,
                    passMillis,
                    owner,
                    label,
                    reserve,
                    locks,
                    permits,
                    condition,
                    awaits);
        }

        /** Returns the same request for permits of a semaphore. */
        public Request taking(LockName semaphore, LockPermits taken) {
            return new Request(
                    id,
                    kind,
                    leaseMillis,
                    patienceMillis,
                    passMillis,
                    owner,
                    label,
                    reserve,
                    Set.of(semaphore),
                    taken,
                    condition,
                    awaits);
        }
    }
}
