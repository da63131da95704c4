package dev.baton.lock.store;

import java.time.Duration;
import java.util.List;

/**
 * Asks for a lock, or for several together, on behalf of some requests of one process, in the order of their arrival.
 * Repeated once per recheck by those that wait: that is also how they say that they are alive.
 *
 * @param names the locks, all or none; of several only one request asks in one command
 * @param requests who asks; 1 to {@link #MAX_REQUESTS}
 * @param recheck after three of these without a word a waiter counts as dead
 * @param timeoutNanos when the answer is no longer awaited; the command may still be carried out later
 */
public record AcquireCommand(List<LockName> names, List<Request> requests, Duration recheck, long timeoutNanos) {

    public static final int MAX_REQUESTS = 256;

    /** How a request learns of its grant. */
    public enum Kind {
        /** Does not wait: granted by the answer or not at all. */
        TRY,
        /** Waits, and is told through the inbox. */
        MESSAGE,
        /** Waits, cannot be told just now, and learns of its grant when it asks again. */
        POLL
    }

    /**
     * One request.
     *
     * @param id never used again
     * @param leaseMillis length of its lease, positive
     * @param patienceMillis how long it still waits; -1: without a bound
     * @param passMillis of several locks: for how long from its arrival others may be granted one of them that is free;
     *     after that they are kept free for it; not negative, without a meaning for one lock
     * @param owner who asks
     * @param label who asks, for people
     * @param reserve how many tokens after that of its grant are to be given to nobody else, unless an acquire grants it at once, so
     *     that it has not waited; the token says whether they are, as {@link Tokens} says; not negative
     */
    public record Request(
            String id,
            Kind kind,
            long leaseMillis,
            long patienceMillis,
            long passMillis,
            String owner,
            String label,
            int reserve) {

        /** One that reserves no tokens. */
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

        /** The same without waiting. */
        public Request asTry() {
            return new Request(id, Kind.TRY, leaseMillis, patienceMillis, passMillis, owner, label, reserve);
        }
    }
}
