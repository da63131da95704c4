package dev.baton.lock.engine.event;

import dev.baton.lock.LockHolder;
import dev.baton.lock.OnLost;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Describes how a lease was granted and how its loss is handled.
 *
 * @param waited the time between the request and the grant; zero for a re-entry
 * @param contended whether the request had to wait for another holder
 * @param attempts the number of acquire commands sent; zero for a re-entry
 * @param onLost the reaction to a loss
 * @param waitedFor the holder last seen while waiting, or {@code null} if there was none
 */
public record GrantDetails(
        Duration waited,
        boolean contended,
        int attempts,
        OnLost onLost,
        @Nullable LockHolder waitedFor) {

    public static GrantDetails again(OnLost onLost) {
        return new GrantDetails(Duration.ZERO, false, 0, onLost, null);
    }
}
