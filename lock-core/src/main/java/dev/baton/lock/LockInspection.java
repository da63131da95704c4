package dev.baton.lock;

import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Inspects locks from outside, independent of their holder, and force-releases them. For operators, health checks and
 * tests. An answer is outdated as soon as it is given, so the answer must not decide anything that needs a lock.
 *
 * <p>Thread-safe. Every method asks the store and waits at most the command time-out for each of the store's answers.
 * An interrupt ends that wait: the thread's flag is set again, and the exception is a {@link LockStoreException}.
 */
public interface LockInspection {

    /**
     * Returns the holder of a lock and its waiters.
     *
     * @param request names one lock, or one semaphore by {@link LockRequest#permits(int)}; its other components have no
     *     meaning here
     * @throws IllegalArgumentException if the request names several locks
     * @throws LockStoreException if the store could not be asked
     */
    LockState inspect(LockRequest request);

    /**
     * Returns whether a lock is held; for several locks, whether any of them is held, by one or by several holders.
     *
     * @throws LockStoreException if the store could not be asked
     */
    boolean isLocked(LockRequest request);

    /** Lists locks as {@link #list(String, String)} does, in the namespace of these operations. */
    default Stream<LockState> list(String pattern) {
        return list(pattern, null);
    }

    /**
     * Lists the held locks, and the semaphores with permits in use, whose name matches a pattern, in no particular order.
     * The stream asks the store page by page while it is read, so each step of the stream may wait. Closing the stream, or
     * a short-circuit, stops the listing.
     *
     * <p>A lock that is held all the time until the end is listed once. A lock that is acquired or released meanwhile
     * may be listed or not. The store scans all its keys, including those of other programs: the work of each step is
     * bounded, the number of steps is not.
     *
     * @param pattern a pattern for the name, {@code scope.key}: {@code *} matches any characters, {@code ?} matches
     *     one, a backslash quotes the next character; every other character matches itself
     * @param namespace a nested namespace below the one of these operations, or {@code null} for the namespace of these
     *     operations. Namespaces below it are not listed
     * @return a stream to be closed, or read to its end
     * @throws IllegalArgumentException if the pattern is blank, or the namespace is invalid
     * @throws LockStoreException if the store could not be asked, also while the stream is read
     */
    Stream<LockState> list(String pattern, @Nullable String namespace);

    /**
     * Takes a lock from its current holder and hands it to the first waiter. The holder's lease is lost
     * ({@link Lease#isHeld()}, {@link Lease#onLost}, {@link LockLostException}); its process is notified at once, if it
     * can be reached. The holder's work is not stopped. A holder of several locks loses its lease and, once its process
     * has learnt of the loss, the other locks, too.
     *
     * <p>Of a semaphore, all permits are taken from all their holders.
     *
     * @param request names one lock, or several locks, each of which is released
     * @return whether the lock, or one of the locks, was held
     * @throws LockStoreException if the store could not be asked; of several locks, some may have been released
     */
    boolean forceRelease(LockRequest request);

    /**
     * Sets the size of a semaphore for some time, whatever size its processes state. If the size grows, requests that wait
     * are granted permits at once. If it shrinks, no permits are taken back, and none are granted until enough have been
     * given back. A later call replaces an earlier one.
     *
     * <p>The default implementation throws {@link UnsupportedOperationException}.
     *
     * @param request names one semaphore by {@link LockRequest#permits(int)}; its other components have no meaning here
     * @param size how many permits may be in use, not negative; 0 grants none
     * @param duration how long the size counts, at most ten years; zero ends the override
     * @return the size that counts now, and how many permits are in use
     * @throws IllegalArgumentException if the request names a lock, or a value is out of range
     * @throws LockStoreException if the store could not be asked, or has no semaphores
     */
    default LockState.Permits overrideSize(LockRequest request, int size, Duration duration) {
        throw new UnsupportedOperationException(
                "these operations cannot set the size of semaphore '" + request.title() + "'; use a LockTemplate");
    }
}
