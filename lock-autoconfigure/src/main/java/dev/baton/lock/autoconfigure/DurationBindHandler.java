package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockDurations;
import dev.baton.lock.WaitTime;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks the text of a property that must be written {@link WithUnit}. A converter cannot check the text: if a
 * converter fails, Boot tries the next one, and reads a mere number as milliseconds.
 */
final class DurationBindHandler extends AbstractBindHandler {

    DurationBindHandler(BindHandler parent) {
        super(parent);
    }

    @Override
    public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
        if (target.getAnnotation(WithUnit.class) != null) {
            boolean waitTime = target.getType().resolve() == WaitTime.class;
            context.getBinder().bind(name, Bindable.of(String.class)).ifBound(text -> check(name, text, waitTime));
        }
        return super.onStart(name, target, context);
    }

    private static void check(ConfigurationPropertyName name, String text, boolean waitTime) {
        try {
            if (waitTime) {
                WaitTime.valueOf(text);
            } else {
                LockDurations.parse(text);
            }
        } catch (IllegalArgumentException ex) {
            throw new InvalidConfigurationPropertyValueException(asWritten(name), text, ex.getMessage());
        }
    }

    /** Returns the name with the underscores that the key of a map may have. */
    static String asWritten(ConfigurationPropertyName name) {
        StringBuilder written = new StringBuilder(name.getElement(0, Form.ORIGINAL));
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            written.append(ScopeProperties.element(name.getElement(i, Form.ORIGINAL)));
        }
        return written.toString();
    }
}
