package dev.baton.lock.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The meters of the locks, and of their observations. Immutable, validated on creation.
 *
 * @param maxScopes How many scopes have meters of their own, and a 'baton.scope' of their own in observations. Those that come later
 *     share the value 'other'. At least 1.
 * @param histogram Whether the timers have a percentile histogram, for quantiles over all processes.
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
                            + " leaves no scope a meter; give it at least 1, or switch the meters"
                            + " off with management.metrics.enable.baton=false");
        }
    }
}
