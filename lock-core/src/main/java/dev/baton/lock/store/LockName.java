package dev.baton.lock.store;

/**
 * The identity of a lock: two requests with equal ones are about the same lock.
 *
 * @param namespace the nested namespace below the store's own; empty: none
 * @param name {@code scope.key}
 */
public record LockName(String namespace, String name) {}
