package dev.baton.lock.autoconfigure;

import dev.baton.lock.WaitTime;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.core.convert.converter.Converter;

/**
 * Converts {@code wait-time: 0}, which is a number in YAML. Spring converts text by {@link WaitTime#valueOf(String)}.
 */
@ConfigurationPropertiesBinding
final class NumberToWaitTimeConverter implements Converter<Number, WaitTime> {

    @Override
    public WaitTime convert(Number number) {
        return WaitTime.valueOf(number.toString());
    }
}
