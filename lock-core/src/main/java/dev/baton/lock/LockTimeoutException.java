package dev.baton.lock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lock was not granted within the wait time. */
public class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;
    private final transient @Nullable LockHolder holder;

    /**
     * Creates the exception with a message that says what was asked for, who has it, and what to do.
     *
     * @param waited how long the request waited; zero for a try
     * @param holder who was last seen to hold the lock; null: nobody was
     */
    public LockTimeoutException(String name, Duration waited, @Nullable LockHolder holder) {
        super(name, message(name, waited, holder), null);
        this.waited = waited;
        this.holder = holder;
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

    /** Who was last seen to hold the lock. */
    public Optional<LockHolder> getHolder() {
        return Optional.ofNullable(holder);
    }
}
