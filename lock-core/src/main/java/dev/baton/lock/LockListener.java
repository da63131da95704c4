package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Listener for lock events of this process. In an application, every bean of this type is notified, in bean order.
 *
 * <p>For each request, a listener receives {@link #asked}, then exactly one of {@link #granted}, {@link #timedOut} and
 * {@link #ended}; after a grant, one of {@link #released} and {@link #lost}. The events of a request have the same
 * {@link Event#request()}. A re-entry and its release cause no events, except a re-entry that fails with
 * {@link LockDeadlockException}: it causes {@code ended}, without {@code asked}.
 *
 * <p>With {@link ReleaseMode#PIPELINED}, {@link #released} is called before Redis has confirmed the release. If Redis
 * then answers that the lease had been lost, {@link #lost} is called as well, perhaps before {@code released} has
 * returned.
 *
 * <p>A wait at a condition ends one request with {@link #released}, and begins another with {@link #awaiting}, which is
 * {@link #asked} when the wait is over.
 *
 * <p>The events of a request and its release are delivered in the thread that requested or released, which continues
 * only afterwards. The end of an asynchronous wait is delivered in the thread that completes it. {@link #lost},
 * {@link #rechecked} and {@link #stolen} are called in threads of Baton's own. Several threads may call a listener at once, {@code lost}
 * even before {@code granted} has returned. An exception of a listener is logged and affects neither the lock nor
 * other listeners.
 *
 * <p>A listener bean must not need the {@code LockTemplate} for its creation, because the {@code LockTemplate} needs
 * the listeners; it may use an {@code ObjectProvider}.
 */
public interface LockListener {

    /** A request is about to be sent to the store, and may have to wait. */
    default void asked(Asked event) {}

    /** A lock was granted; the work under the lock begins when this method returns. */
    default void granted(Granted event) {}

    /** A request was not granted in time, including a request that did not wait. */
    default void timedOut(TimedOut event) {}

    /** A request ended without a grant, for another reason than time. */
    default void ended(Ended event) {}

    /** A lock was released in time; the next holder may already have it. */
    default void released(Released event) {}

    /**
     * A lease ended before it was released; called once. The lease may have ended before {@link #granted} could be
     * called.
     */
    default void lost(LockLostEvent event) {}

    /** The store was asked again on behalf of waiters, because time has passed or messages may have been lost. */
    default void rechecked(Rechecked event) {}

    /**
     * A request took its locks from their holders, by {@link LockOperations#forceAcquire} or because a holder was stuck.
     * Called in a thread of Baton's own, before or after {@link #granted}. The earlier holders, in whichever process, get
     * {@link #lost}.
     */
    default void stolen(Stolen event) {}

    /**
     * A holder gives its lock away to await a condition. Called after {@link #released}, and before the store is asked.
     * Once the lock is back, or does not come back, {@link #asked} and one of {@link #granted}, {@link #timedOut} and
     * {@link #ended} follow, for the same request.
     */
    default void awaiting(Awaiting event) {}

    /** An event of one request. */
    interface Event {

        /** Returns the request of the event. */
        Request request();

        /** Returns the nested namespace of the locks; empty if there is none. */
        default String namespace() {
            return request().namespace();
        }

        /** Returns the names of the locks, {@code scope.key}. */
        default List<String> names() {
            return request().names();
        }

        /** Returns the owner that requests the locks, or holds them. */
        default String owner() {
            return request().owner();
        }
    }

    /**
     * Describes a request in its events.
     *
     * @param id the same in all events of one request, and never reused in this process
     * @param namespace the nested namespace of the locks; empty if there is none
     * @param names the names of the locks, {@code scope.key}
     * @param scope the scope of the locks; for locks of several scopes, these scopes sorted and joined by {@code +}
     * @param owner the owner that requests the locks
     * @param label the requester, for people: {@code web-3:4711/http-7}
     * @param mode {@link LockMode#SHARED} if the request shares all its locks with other readers
     * @param permits how many permits the request takes of the semaphore, or {@code null} if it asks for locks
     */
    record Request(
            long id,
            String namespace,
            List<String> names,
            String scope,
            String owner,
            String label,
            LockMode mode,
            @Nullable LockPermits permits) {

        /** Creates the description of a request for locks. */
        public Request(
                long id,
                String namespace,
                List<String> names,
                String scope,
                String owner,
                String label,
                LockMode mode) {
            this(id, namespace, names, scope, owner, label, mode, null);
        }

        public Request {
            label = LockNames.printable(label);
        }

        /** Describes an exclusive request. */
        public Request(long id, String namespace, List<String> names, String scope, String owner, String label) {
            this(id, namespace, names, scope, owner, label, LockMode.EXCLUSIVE);
        }

        /**
         * Returns the name of the lock, or all names separated by commas if there are several locks. For people:
         * control characters are escaped as in {@link LockNames#printable}.
         */
        public String title() {
            return LockNames.printable(names.size() == 1 ? names.get(0) : String.join(", ", names));
        }
    }

    /** The start of a request. */
    record Asked(Request request) implements Event {}

    /**
     * A grant.
     *
     * @param fencingToken the token of the grant
     * @param waited how long the request waited for the grant
     * @param contended whether another holder had one of the locks, or another waiter was ahead
     * @param attempts how many acquire commands were sent for the lease, as {@link Lease#attempts()} counts them
     * @param waitedFor the holder of one of the locks that was last seen before the grant, or {@code null} if none was
     *     seen
     */
    record Granted(
            Request request,
            long fencingToken,
            Duration waited,
            boolean contended,
            int attempts,
            @Nullable LockHolder waitedFor)
            implements Event {}

    /**
     * A request that timed out.
     *
     * @param waited how long the request waited; zero for a try that found the lock taken
     * @param holder the holder of one of the locks that was last seen, or {@code null} if none was seen
     */
    record TimedOut(
            Request request, Duration waited, @Nullable LockHolder holder) implements Event {}

    /**
     * A request that ended without a grant.
     *
     * @param waited how long the request waited since {@link #asked}; zero without that event
     */
    record Ended(Request request, Reason reason, Duration waited) implements Event {

        /** The reason for the end. */
        public enum Reason {
            /** The waiting thread was interrupted. */
            INTERRUPTED,
            /** The owner would have waited for itself: {@link LockDeadlockException}. */
            DEADLOCK,
            /** The store could not be asked, or the template is stopping. */
            STORE_ERROR,
            /** The maximum number of requests already wait. */
            LIMIT,
            /** The stage of the request was cancelled. */
            CANCELLED,
            /**
             * The request was granted, and its lease ended before any work could begin; {@link #lost} is called as
             * well. Or the holder had lost its lock before it could await a condition.
             */
            LOST,
            /**
             * Another thread of the same owner was granted the lock meanwhile, and the request re-entered that grant.
             */
            ENTERED,
            /** Any other failure: an error of Baton, or of code passed to it (an executor, an owner's code). */
            FAILED;

            /** Returns the reason for a failure. A time-out has no reason of its own, and counts as {@link #FAILED}. */
            public static Reason of(Throwable failure) {
                if (failure instanceof LockStoreException) {
                    return STORE_ERROR;
                } else if (failure instanceof LockInterruptedException) {
                    return INTERRUPTED;
                } else if (failure instanceof LockDeadlockException) {
                    return DEADLOCK;
                } else if (failure instanceof LockLimitException) {
                    return LIMIT;
                } else if (failure instanceof LockLostException) {
                    return LOST;
                }
                return failure instanceof CancellationException ? CANCELLED : FAILED;
            }
        }
    }

    /**
     * A release.
     *
     * @param fencingToken the token of the grant
     * @param heldFor the time from the grant to the release, by this process's clock
     * @param handedOver the kinds of waiters to which the locks were handed in the same step; empty if there were none,
     *     or the store has not reported them
     */
    record Released(Request request, long fencingToken, Duration heldFor, List<HandOver> handedOver) implements Event {}

    /** The destination of a lock that was handed over on release. */
    enum HandOver {
        /** A waiter of the same process. */
        LOCAL,
        /** A waiter of another process. */
        REMOTE
    }

    /**
     * One command that asks the store again.
     *
     * @param request one of the requests on whose behalf the command is sent; all these requests are for the same locks
     * @param requests the number of these requests, positive
     */
    record Rechecked(Request request, int requests) implements Event {}

    /**
     * The start of a wait at a condition.
     *
     * @param request the request by which the lock will come back; the earlier request of the holder is over
     * @param condition the name of the condition
     */
    record Awaiting(Request request, String condition) implements Event {}

    /**
     * Locks that were taken from their holders.
     *
     * @param from the holders, one per lock that was held; of several readers, the one whose lease ends last
     * @param stuckFor how long the request had seen the same holder, or {@code null} if it took the locks by force
     */
    record Stolen(
            Request request,
            List<LockHolder> from,
            @Nullable Duration stuckFor) implements Event {

        public Stolen {
            from = List.copyOf(from);
        }
    }
}
