package dev.baton.lock.autoconfigure;

import dev.baton.lock.support.LockTemplateBuilder;

/**
 * Customizes the auto-configured {@link dev.baton.lock.support.LockTemplate} after the properties have been applied.
 * Several customizer beans are called in their order. Not called if the application defines its own
 * {@code LockOperations}, except for the template that executes annotated methods while {@code baton.enabled=false}.
 */
@FunctionalInterface
public interface LockTemplateCustomizer {

    /** Customizes the builder. Called once, in the thread that starts the application; for annotated methods while
     * {@code baton.enabled=false}, perhaps in the thread of the first call. */
    void customize(LockTemplateBuilder builder);
}
