package dev.baton.lock.engine.event;

import dev.baton.lock.LockHolder;
import dev.baton.lock.OnLost;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a lease came to be, and what its loss does.
 *
 * @param waited zero for a re-entry
 * @param attempts acquires sent for it; zero for a re-entry
 * @param waitedFor who was last seen to hold one of its locks; null: nobody
 */
public record Entry(
        Duration waited,
        boolean contended,
        int attempts,
        OnLost onLost,
        @Nullable LockHolder waitedFor) {

    public static Entry again(OnLost onLost) {
        return new Entry(Duration.ZERO, false, 0, onLost, null);
    }
}
