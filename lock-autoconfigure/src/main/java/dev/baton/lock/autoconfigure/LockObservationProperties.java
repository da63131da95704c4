package dev.baton.lock.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the observations of the locks. Immutable.
 *
 * @param names Whether observations, and so spans, name the lock (scope.key) and not only its scope.
 */
@ConfigurationProperties(LockObservationProperties.PREFIX)
public record LockObservationProperties(
        @DefaultValue("false") boolean names) {

    static final String PREFIX = LockProperties.PREFIX + ".observation";
}
