package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockDurations;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the log of the locks. Immutable, validated on creation.
 *
 * @param slowWait How long a request may wait before a warning names the holder and the length of the queue. With unit, 0s to never
 *     warn.
 */
@ConfigurationProperties(LockLogProperties.PREFIX)
public record LockLogProperties(
        @DefaultValue("5s") @WithUnit Duration slowWait) {

    static final String PREFIX = LockProperties.PREFIX + ".log";

    public LockLogProperties {
        if (slowWait.isNegative() || slowWait.compareTo(LockDurations.LONGEST_EXPIRE) > 0) {
            throw LockProperties.invalid(
                    "log.slow-wait",
                    slowWait,
                    "log.slow-wait " + slowWait.toMillis()
                            + " ms is out of range; use 0s to never warn, at most 3650 days");
        }
    }
}
