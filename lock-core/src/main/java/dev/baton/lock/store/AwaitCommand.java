package dev.baton.lock.store;

import dev.baton.lock.store.AcquireCommand.Request;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends the grant of a request that holds a lock alone, and lets another request of the same process await a condition of
 * that lock, in one step. The lock is handed over as at any end. A {@link SignalCommand} moves the new request to the end
 * of the queue of the lock. Its process repeats {@link AcquireCommand} on its behalf, as for any waiter. The command may
 * be carried out late and more than once, because neither id is ever used again.
 *
 * @param name the lock
 * @param id the id of the request that holds the lock
 * @param waiter the new request, which awaits a condition
 * @param recheck the recheck interval, as of an acquire
 * @param markMillis how long an acquire of the old request that arrives afterwards is refused, in milliseconds, positive
 * @param timeoutNanos the time after which the answer is no longer awaited, in nanoseconds
 * @param caller the calling thread, or {@code null} if this thread does not wait for the answer right away
 */
public record AwaitCommand(
        LockName name,
        String id,
        Request waiter,
        Duration recheck,
        long markMillis,
        long timeoutNanos,
        @Nullable WaitingCaller caller) {}
