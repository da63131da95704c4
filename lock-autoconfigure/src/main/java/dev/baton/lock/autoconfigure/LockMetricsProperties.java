package dev.baton.lock.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the meters of the locks, and of their observations. Immutable, validated on creation.
 *
 * @param maxScopes Largest number of scopes with their own meters, and with their own 'baton.scope' in observations.
 *     Later scopes share the value 'other'. At least 1.
 * @param histogram Whether the timers publish a percentile histogram, for quantiles across all processes.
 */
@ConfigurationProperties(LockMetricsProperties.PREFIX)
public record LockMetricsProperties(
        @DefaultValue("100") int maxScopes,
        @DefaultValue("false") boolean histogram) {

    static final String PREFIX = LockProperties.PREFIX + ".metrics";

    public LockMetricsProperties {
        if (maxScopes < 1) {
            throw LockProperties.invalid(
                    "metrics.max-scopes",
                    maxScopes,
                    "metrics.max-scopes " + maxScopes
                            + " leaves no scope a meter; use at least 1, or switch the meters"
                            + " off with management.metrics.enable.baton=false");
        }
    }
}
