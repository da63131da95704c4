/**
 * The public template and the leases that its users see: defaults, re-entry, owners, asynchronous execution,
 * administration, listeners and logs.
 *
 * <p>May use {@code engine}, {@code store} and {@code time}; knows neither Redis nor Spring's proxies. Begin with
 * {@link dev.baton.lock.support.LockTemplate}.
 */
@NullMarked
package dev.baton.lock.support;

import org.jspecify.annotations.NullMarked;
