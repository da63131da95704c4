package dev.baton.lock.autoconfigure;

import dev.baton.lock.interceptor.LockAttributeSource;

/**
 * All sources of the application as one, which is no bean of its own type: that would be one more of them.
 *
 * @param all the annotation, then the application's own in their order
 */
record LockAttributeSources(LockAttributeSource all) {}
