package dev.baton.lock.autoconfigure;

import dev.baton.lock.WaitTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * Lets a native image convert property text to a {@link WaitTime}, whose converting method Spring finds by its name, and
 * look up the names of all properties, also of those that no active auto-configuration binds.
 */
final class LockPropertiesRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerType(
                        WaitTime.class,
                        type -> type.withMethod(
                                "valueOf", List.of(TypeReference.of(String.class)), ExecutableMode.INVOKE));
        BindableRuntimeHintsRegistrar.forTypes(KnownProperties.CLASSES).registerHints(hints);
    }
}
