package dev.baton.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of a try: the work was done, or the lock was busy.
 *
 * @param <T> the result of the work
 */
public sealed interface LockResult<T extends @Nullable Object> {

    /**
     * The lock was granted, the work was done and the lock was released.
     *
     * @param value the result of the work
     */
    record Executed<T extends @Nullable Object>(T value) implements LockResult<T> {}

    /**
     * The lock was not granted in time; the work was not run.
     *
     * @param holder the holder that was last seen, or {@code null} if the lock was free and kept for other waiters
     * @param remaining the remaining time of the holder's lease, or zero
     */
    record Busy<T extends @Nullable Object>(@Nullable LockHolder holder, Duration remaining) implements LockResult<T> {}

    default boolean isExecuted() {
        return this instanceof Executed<T>;
    }
}
