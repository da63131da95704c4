package dev.baton.lock.autoconfigure;

import dev.baton.lock.WaitTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Lets a native image convert property text to a {@link WaitTime}. Spring finds the converting method by its name. */
final class LockPropertiesRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerType(
                        WaitTime.class,
                        type -> type.withMethod(
                                "valueOf", List.of(TypeReference.of(String.class)), ExecutableMode.INVOKE));
    }
}
