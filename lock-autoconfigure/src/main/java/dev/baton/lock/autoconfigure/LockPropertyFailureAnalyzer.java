package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockNames;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Reports which property of Baton has an unusable value, where the value was set, and what to write instead.
 *
 * <p>Runs before Boot's analyzer of bind failures, which would name the record and its constructor instead of the
 * property.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class LockPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {

    private final @Nullable Environment environment;

    LockPropertyFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, InvalidConfigurationPropertyValueException cause) {
        if (!cause.getName().startsWith(LockProperties.PREFIX + ".")) {
            return null;
        }
        ConfigurationProperty property = find(cause.getName());
        String description = "The configuration property '" + cause.getName() + "' has the value '"
                + LockNames.printable(String.valueOf(property == null ? cause.getValue() : property.getValue())) + "'"
                + origin(property)
                + ", which cannot be used: " + cause.getReason() + ".";
        return new FailureAnalysis(description, "Change the value of '" + cause.getName() + "'.", cause);
    }

    /** Returns where a property was set, as an insertion after its name or value; empty if that is unknown. */
    static String origin(@Nullable ConfigurationProperty property) {
        return property == null || property.getOrigin() == null ? "" : " (set in " + property.getOrigin() + ")";
    }

    private @Nullable ConfigurationProperty find(String name) {
        if (environment == null) {
            return null;
        }
        ConfigurationPropertyName key = ConfigurationPropertyName.adapt(name, '.');
        for (var source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty property = source.getConfigurationProperty(key);
            if (property != null) {
                return property;
            }
        }
        return null;
    }
}
