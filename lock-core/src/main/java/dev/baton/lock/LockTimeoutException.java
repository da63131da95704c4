package dev.baton.lock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lock was not granted within the wait time, or its holder seems to be stuck.
 *
 * <p>Also where the wait time was shorter than an answer of the store takes, and the store has not been silent for 100 ms, or for
 * the command time-out if that is less: this says nothing of the store's health.
 */
public class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;
    private final boolean stuck;
    private final transient @Nullable LockHolder holder;

    /**
     * Creates the exception with a message that says what was asked for, who has it, and what to do.
     *
     * @param waited how long the request waited; zero for a try
     * @param holder who was last seen to hold the lock; null: nobody was
     */
    public LockTimeoutException(String name, Duration waited, @Nullable LockHolder holder) {
        this(name, message(name, waited, holder), waited, holder, false);
    }

    private LockTimeoutException(
            String name, String message, Duration waited, @Nullable LockHolder holder, boolean stuck) {
        super(name, message, null);
        this.waited = waited;
        this.holder = holder;
        this.stuck = stuck;
    }

    /**
     * The same holder has kept the lock for the request's stall time.
     *
     * @param waited how long the request waited
     * @param holder who holds the lock
     * @param stalled for how long of that the request has seen that holder
     */
    public static LockTimeoutException stuck(
            String name, Duration waited, @Nullable LockHolder holder, Duration stalled) {
        String message = "Lock '" + name + "' not granted after " + waited.toMillis()
                + " ms: held by the same holder for " + stalled.toMillis() + " ms"
                + (holder == null ? "" : " (" + holder + ")")
                + "; see what that holder is stuck in, or raise stallTime";
        return new LockTimeoutException(name, message, waited, holder, true);
    }

    /**
     * The wait ended before the store could be expected to answer.
     *
     * @param waited how long the request waited
     * @param store which has not answered, for people
     */
    public static LockTimeoutException unanswered(String name, Duration waited, String store) {
        String message = "Lock '" + name + "' not granted within " + waited.toMillis() + " ms: " + store
                + " had not answered by then; raise waitTime above the time that an answer takes";
        return new LockTimeoutException(name, message, waited, null, false);
    }

    private static String message(String name, Duration waited, @Nullable LockHolder holder) {
        String who = holder == null ? "kept for others who wait" : "held by " + holder;
        if (waited.isZero()) {
            return "Lock '" + name + "' is busy (" + who + "); give the request a waitTime, or try later";
        }
        return "Lock '" + name + "' not granted within " + waited.toMillis() + " ms (" + who
                + "); raise waitTime or shorten the work under the lock";
    }

    public Duration getWaited() {
        return waited;
    }

    /** Whether the wait ended because the same holder had kept the lock for the stall time, not because of the wait time. */
    public boolean isStuck() {
        return stuck;
    }

    /** Who was last seen to hold the lock. */
    public Optional<LockHolder> getHolder() {
        return Optional.ofNullable(holder);
    }
}
