package dev.baton.lock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the lock was not granted within the wait time, or its holder seems to be stuck.
 *
 * <p>Also thrown if the wait time was shorter than the store's answer takes. In that case, the store has not been
 * silent for 100 ms, or for the command time-out if that is less. The exception then says nothing about the store's
 * health.
 */
public class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;
    private final boolean stuck;
    private final transient @Nullable LockHolder holder;

    /**
     * Creates the exception with a message that names the lock, its holder, and the remedy.
     *
     * @param waited how long the request waited; zero for a try that found the lock taken
     * @param holder the holder that was last seen, or {@code null} if none was seen
     */
    public LockTimeoutException(String name, Duration waited, @Nullable LockHolder holder) {
        this(name, message(name, waited, holder), waited, holder, false);
    }

    /**
     * Creates the exception for permits that were not granted.
     *
     * @param waited how long the request waited; zero for a try
     * @param holder the holder whose lease ends first, or {@code null} if none was seen
     */
    public static LockTimeoutException permits(
            String name, LockPermits permits, Duration waited, @Nullable LockHolder holder) {
        String what = "Semaphore '" + name + "' has not granted " + permits + " permits";
        String reason = holder == null ? " (kept for other waiters)" : " (one holder: " + holder + ")";
        String message = waited.isZero()
                ? what + reason + "; give the request a waitTime, or try again later"
                : what + " within " + waited.toMillis() + " ms" + reason
                        + "; raise waitTime, the number of permits, or shorten the work under them";
        return new LockTimeoutException(name, message, waited, holder, false);
    }

    private LockTimeoutException(
            String name, String message, Duration waited, @Nullable LockHolder holder, boolean stuck) {
        super(name, message, null);
        this.waited = waited;
        this.holder = holder;
        this.stuck = stuck;
    }

    /**
     * Creates the exception for a holder that has kept the lock for the request's stall time.
     *
     * @param waited how long the request waited
     * @param holder the holder of the lock, or {@code null} if it is not known
     * @param stalled how long, within that wait, the request has seen the same holder
     */
    public static LockTimeoutException stuck(
            String name, Duration waited, @Nullable LockHolder holder, Duration stalled) {
        String message = "Lock '" + name + "' not granted after " + waited.toMillis()
                + " ms: held by the same holder for " + stalled.toMillis() + " ms"
                + (holder == null ? "" : " (" + holder + ")")
                + "; check where that holder is stuck, or raise stallTime";
        return new LockTimeoutException(name, message, waited, holder, true);
    }

    /**
     * Creates the exception for a wait that ended before the store could be expected to answer.
     *
     * @param waited how long the request waited
     * @param store the store that has not answered, for people
     */
    public static LockTimeoutException unanswered(String name, Duration waited, String store) {
        String message = "Lock '" + name + "' not granted within " + waited.toMillis() + " ms: " + store
                + " had not answered by then; raise waitTime above the time that an answer takes";
        return new LockTimeoutException(name, message, waited, null, false);
    }

    private static String message(String name, Duration waited, @Nullable LockHolder holder) {
        String reason = holder == null ? "kept for other waiters" : "held by " + holder;
        if (waited.isZero()) {
            return "Lock '" + name + "' is busy (" + reason + "); give the request a waitTime, or try again later";
        }
        return "Lock '" + name + "' not granted within " + waited.toMillis() + " ms (" + reason
                + "); raise waitTime or shorten the work under the lock";
    }

    /** Returns how long the request waited; zero for a try that found the lock taken. */
    public Duration waited() {
        return waited;
    }

    /**
     * Returns whether the wait ended because the same holder had kept the lock for the stall time, not because of the
     * wait time.
     */
    public boolean isStuck() {
        return stuck;
    }

    /** Returns the holder that was last seen, or empty if none was seen. */
    public Optional<LockHolder> holder() {
        return Optional.ofNullable(holder);
    }
}
