package dev.baton.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of a try: the work was done, or the lock was busy.
 *
 * @param <T> what the work returns
 */
public sealed interface LockResult<T extends @Nullable Object> {

    /**
     * The lock was granted, the work was done and the lock was released.
     *
     * @param value what the work returned
     */
    record Executed<T extends @Nullable Object>(T value) implements LockResult<T> {}

    /**
     * The lock was not granted in time; the work was not done.
     *
     * @param holder who held it last, or null if it was free and kept for others who wait
     * @param remaining what was left of the holder's lease, or zero
     */
    record Busy<T extends @Nullable Object>(@Nullable LockHolder holder, Duration remaining) implements LockResult<T> {}

    default boolean isExecuted() {
        return this instanceof Executed<T>;
    }
}
