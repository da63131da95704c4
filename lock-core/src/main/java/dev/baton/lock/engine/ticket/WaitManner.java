package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a request waits, besides how long.
 *
 * @param interruptible whether an interrupt ends the wait
 * @param stallNanos for how long the same holder may keep the lock meanwhile; 0: without a bound
 * @param recheck how often it asks again; null: as often as the engine does
 */
public record WaitManner(
        boolean interruptible, long stallNanos, @Nullable Duration recheck) {

    static final WaitManner PLAIN = new WaitManner(true, 0, null);

    public static WaitManner of(LockRequest request) {
        Duration stall = request.stallTime();
        return new WaitManner(request.interruptible(), stall == null ? 0 : stall.toNanos(), request.recheck());
    }
}
