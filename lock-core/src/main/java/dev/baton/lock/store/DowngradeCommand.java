package dev.baton.lock.store;

import dev.baton.lock.store.AcquireCommand.Request;
import org.jspecify.annotations.Nullable;

/**
 * Ends the grant of a request that holds a lock alone, and makes another request of the same process the first reader of
 * the lock, in one step. The other readers that wait before the first writer become readers as well. The command may be
 * carried out late and more than once, because neither id is ever used again.
 *
 * @param name the lock
 * @param id the id of the request that holds the lock
 * @param reader the new request, which shares the lock. Its lease is not shorter than what the old one has left
 * @param markMillis how long an acquire of the old request that arrives afterwards is refused, in milliseconds, positive
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 * @param caller the calling thread, or {@code null} if this thread does not wait for the answer right away
 */
public record DowngradeCommand(
        LockName name,
        String id,
        Request reader,
        long markMillis,
        long timeoutNanos,
        @Nullable WaitingCaller caller) {}
