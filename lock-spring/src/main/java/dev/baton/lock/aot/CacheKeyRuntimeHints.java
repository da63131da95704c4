package dev.baton.lock.aot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.cache.interceptor.SimpleKey;

/** Lets a native image read the parameters of a {@link SimpleKey}, which has no accessor for them. */
final class CacheKeyRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(SimpleKey.class, type -> type.withField("params"));
    }
}
