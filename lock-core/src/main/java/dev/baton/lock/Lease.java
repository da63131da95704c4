package dev.baton.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One grant of a lock for a limited time. One-shot: HELD, then RELEASED or LOST, and never HELD again.
 *
 * <p>Thread-safe: any thread may query, renew and release it. A pause of the process (a collection, a stopped
 * container, a suspended machine) may outlast the lease before the answer to a query is used. Only the protected
 * resource itself can close that gap, by rejecting {@linkplain #fencingToken() tokens} smaller than one it has seen.
 *
 * <p>While a lease is held, its owner re-enters the lock without asking Redis. A lost lease is over for its owner, too,
 * even if it is not closed. The owner's next request asks for the lock as any other does, and {@link #close()} reports
 * the loss. Only work under the lost lease ({@link LockContext}) gets {@link LockLostException} if it requests the same
 * lock as the same owner.
 *
 * <p>The owner of a lease is the thread that acquired it, unless the request names an owner. That thread stays the
 * owner when the lease is passed to another thread. While that lease is held, the next task of a pooled thread enters
 * the lock as if the task were the holder. Set an owner ({@link LockRequest#owner(String)}) for leases that leave their
 * thread, or acquire them with {@link LockOperations#acquireAsync}.
 */
public interface Lease extends AutoCloseable {

    /**
     * Returns the names of the held locks, {@code scope.key}, sorted; for a re-entry all names of the outermost lease.
     */
    List<String> names();

    /** Returns the Redis keys of the locks. */
    List<String> redisKeys();

    /** Returns the holder: this process and, within the process, the thread or the owner that the request named. */
    String owner();

    /**
     * Returns a number that only increases over the grants of a name, so that the protected resource can reject a
     * holder that comes too late. The token is the same for every re-entry of one grant, and for all locks of a grant
     * of several.
     */
    long fencingToken();

    /**
     * Returns whether the lease can be relied on now: neither released nor lost. Uses this process's own clock, without
     * asking Redis. That clock stops while the machine sleeps, so the answer may be a wrong {@code true} until Redis
     * has answered. The process asks Redis at most 250 ms after the machine woke; {@link #verify()} asks Redis at once.
     */
    boolean isHeld();

    /** Returns whether the lease ended before it was released. */
    boolean isExpired();

    /**
     * Returns the remaining time of the lease by this process's own, cautious clock; zero once it is over, never
     * negative.
     */
    Duration remaining();

    /**
     * Returns the approximate end of the lease if it is not renewed, by the wall clock: a hint for people, not for
     * decisions.
     */
    Instant expiresAt();

    /**
     * Extends the lease to its full length from now. Waits for Redis's answer, at most the command time-out and the
     * remaining time of the lease.
     *
     * @return {@code false} if the lease is no longer held: another holder may use the protected resource
     * @throws LockStoreException if Redis could not be asked in time; the lease then ends when it would have ended
     */
    boolean renew();

    /**
     * Extends the lease as {@link #renew()} does, to the given length from now if that is longer than the remaining
     * time; never shortens the lease.
     *
     * @param expire 10 ms to ten years; also the length of later renewals of this lease
     */
    boolean renew(Duration expire);

    /**
     * Verifies that the lease is still held, before a step that cannot be undone. Asks Redis without extending the
     * lease, and waits for the answer, at most the command time-out and the remaining time of the lease. Without an
     * answer, this process's own clock decides. An interrupt does not shorten the wait, and is kept. Does nothing once
     * the lease was released, or with {@link OnLost#LOG}.
     *
     * <p>A transaction that is committed in work under a lock verifies the lease on its own.
     *
     * @throws LockLostException if the lease is no longer held
     */
    default void verify() {
        if (isExpired()) {
            throw new LockLostException(
                    String.join(", ", names()), owner(), fencingToken(), Duration.ZERO, "it is over", null);
        }
    }

    /**
     * Verifies the lease as {@link #verify()} does, without waiting for the answer.
     *
     * @return completes within the command time-out; with a {@link LockLostException} if the lease is no longer held
     */
    default CompletionStage<@Nullable Void> verifyAsync() {
        CompletableFuture<@Nullable Void> verified = new CompletableFuture<>();
        try {
            verify();
            verified.complete(null);
        } catch (RuntimeException ex) {
            verified.completeExceptionally(ex);
        }
        return verified;
    }

    /**
     * Extends the lease as {@link #renew(Duration)} does. If the lease was lost, acquires its locks again, provided
     * that they are free and have no waiters. Does not wait for other holders or waiters: takes at most three command
     * time-outs.
     *
     * <p>A new grant is a new lease with a new token and the same owner; the caller closes the new lease. This lease
     * stays lost. Another holder may have changed the protected data in between: read the data again before continuing.
     *
     * @param expire 10 ms to ten years; also the length of later renewals
     * @return this lease if it was still held; a new lease; or empty if another owner holds one of the locks or waits
     *     for it
     * @throws IllegalStateException if this lease has been released
     * @throws LockInterruptedException if the thread is interrupted, and this lease was lost
     * @throws LockStoreException if Redis could not be asked in time
     */
    Optional<Lease> renewOrReacquire(Duration expire);

    /** Returns how long the request waited for its grant; zero for a re-entry. */
    Duration waited();

    /** Returns whether another holder had the lock, or another waiter was ahead, when the lock was requested. */
    boolean contended();

    /**
     * Returns the last holder of one of the locks seen while the request waited, or empty if none was seen or for a
     * re-entry.
     */
    default Optional<LockHolder> waitedFor() {
        return Optional.empty();
    }

    /**
     * Returns how many acquire commands this process had sent, when the lock was granted, for the entry in the store by
     * which it was granted. Counts the first acquire of the entry and each later one (a recheck, a poll, a question
     * after a message that may be lost), whether it was answered or not. A recheck that an older waiter of this process
     * makes on behalf of others counts for that waiter only, so a long wait may still count 1. Requests of this process
     * for one lock may share an entry ({@code baton.cohort.limit}). The count then includes the commands of that entry
     * from before this request.
     *
     * <p>Zero for a re-entry, and if the lock was passed on within the process, because neither sends a command. For
     * the question whether the request had to wait, see {@link #contended()} and {@link #waited()}.
     */
    int attempts();

    /**
     * Releases the lock. Waits for Redis's answer at most the command time-out. Without an answer, the lock is released
     * in the background, at the latest when the lease ends. A lock that is passed on within the process needs no
     * answer. With {@link ReleaseMode#PIPELINED}, the release may return without waiting; if Redis later answers that
     * the lease was no longer held, the lease is lost then. If the lock was re-entered, only the last release frees
     * the lock. With {@code holdAtLeast}, Redis keeps the lock from others for the rest of that time; the release does
     * not wait for its end.
     *
     * @return {@code true} if the lease was held until now; by this process's own clock alone if Redis did not answer
     *     within the command time-out, or with {@link ReleaseMode#PIPELINED}. {@code false} if the lease was lost, or
     *     has already been released
     */
    boolean release();

    /**
     * Releases the lock as {@link #release()} does, without waiting for the answer.
     *
     * @return completes with the result of {@link #release()}, within the command time-out; never exceptionally
     */
    CompletionStage<Boolean> releaseAsync();

    /**
     * Releases the lock as {@link #release()} does, for a try-with-resources statement. Does nothing if the lease has
     * already been released.
     *
     * @throws LockLostException if the lease was no longer held, as far as is known when this method returns, unless
     *     the request uses {@link OnLost#LOG}
     */
    @Override
    void close();

    /**
     * Releases the lock as {@link #close()} does, without waiting for the answer.
     *
     * @return completes within the command time-out; with a {@link LockLostException} if the lease was no longer held
     */
    CompletionStage<@Nullable Void> closeAsync();

    /**
     * Returns a condition of the lock of this lease.
     *
     * @param name one to 64 letters, digits, dots, dashes or underscores
     * @throws IllegalArgumentException if the name is invalid
     * @throws UnsupportedOperationException if leases of this kind have no conditions
     */
    default LeaseCondition condition(String name) {
        throw new UnsupportedOperationException("leases of " + getClass().getName() + " have no conditions");
    }

    /**
     * Returns the lease by which the owner holds the lock since it has awaited a {@linkplain #condition condition}; this
     * lease if the owner has not.
     */
    default Lease present() {
        return this;
    }

    /**
     * Makes the observation of this lease ({@link LockObserver}) the current one of this thread, until the scope is
     * closed in the same thread. For work under a lease of {@code acquire}, or in other threads than the one that
     * requested the lock. Does not change {@link LockContext}. Has no effect if there is no observer, or once the lease
     * is over.
     */
    default LockObserver.Scope openScope() {
        return () -> {};
    }

    /**
     * Runs an action once if the lease is lost, at once if the lease is already lost; never if the lease was released
     * in time. With {@link ReleaseMode#PIPELINED}, the loss may become known after {@link #release()} has returned. The
     * action runs in a thread of Baton's own, so it must not take long; its exceptions are logged.
     */
    void onLost(Runnable action);

    /**
     * Runs an action when requests of any process, this one included, have waited for one of the locks for
     * {@code baton.request-after}: a hint to release the lock soon, or to shorten the work. Nothing happens if the action
     * ignores it.
     *
     * <p>The action runs again while requests wait, at most once per that time, and no longer once the lease is over. An
     * action that is added late runs with the next hint. It runs in a thread of Baton's own, so it must not take long;
     * its exceptions are logged. Of several leases of one grant, each has its own actions.
     *
     * <p>Not guaranteed: the hint of another process is a message, which may be lost. A process with the wait strategy
     * {@link WaitStrategy#POLLING} receives none: there, only requests of the same process run the action.
     */
    void onRequested(Runnable action);
}
