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
 * <p>Thread-safe: any thread may ask, renew and release. A pause of the process (a collection, a stopped container, a
 * suspended machine) may outlast the lease between a question and what is done with its answer; only the protected
 * resource itself can close that gap, by refusing {@linkplain #fencingToken() tokens} smaller than one it has seen.
 *
 * <p>While a lease is held, its owner enters the lock again without asking. A lost lease is over for its owner, too, even if it is
 * not closed: the owner's next request asks for the lock as any other does, and {@link #close()} tells of the loss. Only work under the
 * lost lease ({@link LockContext}) gets {@link LockLostException} if it asks for the same lock as the same owner.
 *
 * <p>The owner of a lease is the thread that took it, unless the request names one. It stays the owner when the lease is given to
 * another thread. While that lease is held, the next task of a pool's thread enters the lock as if it were its own. Give leases that
 * leave their thread an owner ({@link LockRequest#owner(String)}), or take them with {@link LockOperations#acquireAsync}.
 */
public interface Lease extends AutoCloseable {

    /** The names of the locks that are held, {@code scope.key}, sorted; of a re-entry all those of the outermost lease. */
    List<String> names();

    /** The Redis keys that stand for them. */
    List<String> redisKeys();

    /** Who holds it: this process and, within it, the thread or the owner that the request named. */
    String owner();

    /**
     * A number that only grows over the grants of a name, so that the protected resource can reject who comes too late.
     * The same for every re-entry of one grant, and for all locks of a grant of several.
     */
    long fencingToken();

    /**
     * Whether the lease can be relied on now: neither released nor lost. By this process's own clock, without asking Redis. If the
     * machine slept, that clock stood still: the answer may be a wrong yes until Redis has answered, which is asked at most 250 ms
     * after the machine woke. {@link #verify()} asks Redis at once.
     */
    boolean isHeld();

    /** Whether the lease ended before it was released. */
    boolean isExpired();

    /** What is left of the lease by this process's own, cautious clock; zero once it is over, never negative. */
    Duration remaining();

    /** About when the lease ends if it is not renewed, by the wall clock: a hint for people, not for decisions. */
    Instant expiresAt();

    /**
     * Extends the lease to its full length from now. Waits for Redis's answer, at most the command time-out and what is
     * left of the lease.
     *
     * @return false if it is not held any more: whatever it protected may be in other hands
     * @throws LockStoreException if Redis could not be asked in time; the lease then ends when it would have ended
     */
    boolean renew();

    /**
     * As {@link #renew()} to this length from now, if that is longer than what is left; never shortens.
     *
     * @param expire 10 ms to ten years; also the length of later renewals of this lease
     */
    boolean renew(Duration expire);

    /**
     * Makes sure that the lease is still ours, before a step that cannot be taken back. Asks Redis, without extending the
     * lease, and waits for the answer, at most the command time-out and what is left of the lease; without an answer this
     * process's own clock decides. An interrupt does not shorten that, and is kept. Does nothing once the lease was released, or
     * with {@link OnLost#LOG}.
     *
     * <p>Transactions that are committed in work under a lock do this by themselves.
     *
     * @throws LockLostException if it is not ours any more
     */
    default void verify() {
        if (isExpired()) {
            throw new LockLostException(
                    String.join(", ", names()), owner(), fencingToken(), Duration.ZERO, "it is over", null);
        }
    }

    /**
     * As {@link #verify()}, without waiting for the answer.
     *
     * @return completes within the command time-out; with {@link LockLostException} if it is not ours any more
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
     * Extends the lease as {@link #renew(Duration)} does; if it was lost, takes its locks anew, provided that they are free and
     * nobody waits for them. Does not wait for anybody else: at most three command time-outs.
     *
     * <p>A new grant is a new lease with a new token and the same owner; whoever called this closes it. This one stays lost. What
     * the locks protect may have been changed by others in between: look again before going on.
     *
     * @param expire 10 ms to ten years; the length of later renewals, too
     * @return this lease if it was still ours; a new one; or empty: another holds one of the locks, or waits for it
     * @throws IllegalStateException if this lease has been released
     * @throws LockInterruptedException if the thread is interrupted, and this lease was lost
     * @throws LockStoreException if Redis could not be asked in time
     */
    Optional<Lease> renewOrReacquire(Duration expire);

    /** How long the request waited for its grant; zero for a re-entry. */
    Duration waited();

    /** Whether somebody else held the lock, or stood before it, when it was asked for. */
    boolean contended();

    /** Who was last seen to hold one of the locks while the request waited; empty: nobody, or it is a re-entry. */
    default Optional<LockHolder> waitedFor() {
        return Optional.empty();
    }

    /**
     * How many acquires were sent for it: more than one if it waited for longer than a recheck; zero for a re-entry, and if the
     * lock was passed on within the process.
     */
    int attempts();

    /**
     * Gives the lock back. Waits for Redis's answer at most the command time-out; without one, the lock is given back
     * in the background, at the latest when the lease ends. A lock that is passed on within the process needs no answer. With
     * {@link ReleaseMode#PIPELINED} it need not wait: if Redis says later that the lease was not ours any more, it is lost then. Of a
     * re-entered lock only the last release gives it back. With {@code holdAtLeast},
     * Redis keeps the lock from others for what is left of that; this does not wait for it.
     *
     * @return true if it was ours until now, with {@link ReleaseMode#PIPELINED} by this process's own clock; false if it was lost,
     *     or has been released already
     */
    boolean release();

    /**
     * As {@link #release()}, without waiting for the answer.
     *
     * @return completes with what {@link #release()} returns, within the command time-out; never exceptionally
     */
    CompletionStage<Boolean> releaseAsync();

    /**
     * As {@link #release()}, for a try-with-resources statement. Nothing happens if it has been released already.
     *
     * @throws LockLostException if it was not ours any more, as far as that is known when it returns, unless the request is with
     *     {@link OnLost#LOG}
     */
    @Override
    void close();

    /**
     * As {@link #close()}, without waiting for the answer.
     *
     * @return completes within the command time-out; with {@link LockLostException} if it was not ours any more
     */
    CompletionStage<@Nullable Void> closeAsync();

    /**
     * Makes what goes along with this lease ({@link LockObserver}: its observation) the current one of this thread, until the scope is
     * closed in the same thread: for work under a lease of {@code acquire}, or in other threads than the one that asked. Does not change
     * {@link LockContext}. Nothing happens where nobody observes, or once the lease is over.
     */
    default LockObserver.Scope openScope() {
        return () -> {};
    }

    /**
     * Has an action run once if the lease is lost, at once if it is lost already; never if it was released in time. With
     * {@link ReleaseMode#PIPELINED} that may turn out after {@link #release()} has returned. It runs in a thread of Baton's own, so
     * it must not take long; what it throws is logged.
     */
    void onLost(Runnable action);
}
