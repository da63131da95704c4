package dev.baton.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Told of what becomes of the locks of this process. In an application every bean of this type is told, in its order.
 *
 * <p>Of one request it hears {@link #asked}, then exactly one of {@link #granted}, {@link #timedOut} and {@link #ended}; after a
 * grant one of {@link #released} and {@link #lost}. They have the same {@link Event#request()}. Neither a re-entry nor its release is
 * told, but one that fails with {@link LockDeadlockException}: as {@code ended}, without {@code asked}.
 *
 * <p>With {@link ReleaseMode#PIPELINED}, {@link #released} is told before Redis has confirmed it. If it then says that the lease had
 * been lost, {@link #lost} is told as well, perhaps before {@code released} has returned.
 *
 * <p>What becomes of a request and its release is told in the thread that asked or released, which goes on only afterwards;
 * {@link #lost} and {@link #rechecked} in threads of Baton's own. They may be called by several threads at once, {@code lost} even
 * before {@code granted} has returned. What one throws is logged and changes nothing, neither for the lock nor for other listeners.
 *
 * <p>A bean must not need the {@code LockTemplate} to be created, which needs the listeners; an {@code ObjectProvider} may.
 */
public interface LockListener {

    /** A request is about to be sent to the store, and may have to wait. */
    default void asked(Asked event) {}

    /** A lock was granted; the work under it begins when this returns. */
    default void granted(Granted event) {}

    /** A request was not granted in time: also one that did not wait. */
    default void timedOut(TimedOut event) {}

    /** A request is over without a grant, for another reason than time. */
    default void ended(Ended event) {}

    /** A lock was given back in time, and may be held by the next already. */
    default void released(Released event) {}

    /** A lease ended before it was released; told once. It may be one that was over before {@link #granted} could be told. */
    default void lost(LockLostEvent event) {}

    /** The store was asked again on behalf of requests that wait: because time has passed, or messages may have been lost. */
    default void rechecked(Rechecked event) {}

    /** What is told of one request. */
    interface Event {

        /** Which request. */
        Request request();

        /** The nested namespace of the locks; empty: none. */
        default String namespace() {
            return request().namespace();
        }

        /** The names of the locks, {@code scope.key}. */
        default List<String> names() {
            return request().names();
        }

        /** Who asks for them, or holds them. */
        default String owner() {
            return request().owner();
        }
    }

    /**
     * A request, as its events tell of it.
     *
     * @param id the same in all events of one request, and never again in this process
     * @param namespace the nested namespace of the locks; empty: none
     * @param names the names of the locks, {@code scope.key}
     * @param scope the scope of the locks; of locks of several scopes these, sorted and joined by {@code +}
     * @param owner who asks
     * @param label who asks, for people: {@code web-3:4711/http-7}
     */
    record Request(long id, String namespace, List<String> names, String scope, String owner, String label) {

        public Request {
            label = LockNames.printable(label);
        }

        /**
         * The name of the lock; of several, all of them separated by commas: for people, with control characters as
         * {@link LockNames#printable} shows them.
         */
        public String title() {
            return LockNames.printable(names.size() == 1 ? names.get(0) : String.join(", ", names));
        }
    }

    /** A request that begins. */
    record Asked(Request request) implements Event {}

    /**
     * A grant.
     *
     * @param fencingToken the token of the grant
     * @param waited how long the request waited for it
     * @param contended whether somebody else held one of the locks, or stood before it
     * @param attempts how many acquires were sent for it
     * @param waitedFor who was last seen to hold one of them before; null: nobody was
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
     * A request that was given up.
     *
     * @param waited how long; zero for a try
     * @param holder who was last seen to hold one of the locks; null: nobody was
     */
    record TimedOut(
            Request request, Duration waited, @Nullable LockHolder holder) implements Event {}

    /**
     * A request that is over without a grant.
     *
     * @param waited how long, from {@link #asked} on; zero without it
     */
    record Ended(Request request, Reason reason, Duration waited) implements Event {

        /** Why. */
        public enum Reason {
            /** The thread that waited was interrupted. */
            INTERRUPTED,
            /** It would have waited for itself: {@link LockDeadlockException}. */
            DEADLOCK,
            /** The store could not be asked, or the template is stopping. */
            STORE_ERROR,
            /** As many requests wait already as may. */
            LIMIT,
            /** The stage that stood for it was cancelled. */
            CANCELLED,
            /** It was granted, and its lease was over before any work could begin; told as {@link #lost} as well. */
            LOST,
            /** Another thread of its owner was granted the lock meanwhile, and it has entered that one's hold. */
            ENTERED,
            /** Anything else: an error of Baton, or of what it was given (an executor, an owner's code). */
            FAILED;

            /** What a request that failed so has ended for; a time-out is none of them, and counts as {@link #FAILED}. */
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
     * @param heldFor from the grant to the release, by this process's clock
     * @param handedOver to which requests the locks went in the same step; empty: none waited, or the store has not said
     */
    record Released(Request request, long fencingToken, Duration heldFor, List<HandOver> handedOver) implements Event {}

    /** Where a lock went when it was released. */
    enum HandOver {
        /** To a waiter of the same process. */
        LOCAL,
        /** To a waiter of another process. */
        REMOTE
    }

    /**
     * One command that asks again.
     *
     * @param request one of those on whose behalf it is sent; all of them are for the same locks
     * @param requests how many they are, positive
     */
    record Rechecked(Request request, int requests) implements Event {}
}
