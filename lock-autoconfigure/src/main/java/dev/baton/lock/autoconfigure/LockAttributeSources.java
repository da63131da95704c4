package dev.baton.lock.autoconfigure;

import dev.baton.lock.interceptor.LockAttributeSource;

/**
 * Combines all sources of the application. This type is not a {@link LockAttributeSource}, because a bean of that type
 * would be another source.
 *
 * @param all the combined source: first the annotation, then the application's own sources in their order
 */
record LockAttributeSources(LockAttributeSource all) {}
