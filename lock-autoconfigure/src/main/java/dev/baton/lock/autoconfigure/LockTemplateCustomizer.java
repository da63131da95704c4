package dev.baton.lock.autoconfigure;

import dev.baton.lock.support.LockTemplateBuilder;

/**
 * A bean that changes the {@link dev.baton.lock.support.LockTemplate} which the application gets, after the properties
 * have been applied. Several are called in their order. Not called if the application defines its own
 * {@code LockOperations}.
 */
@FunctionalInterface
public interface LockTemplateCustomizer {

    /** Called once, in the thread that starts the application. */
    void customize(LockTemplateBuilder builder);
}
