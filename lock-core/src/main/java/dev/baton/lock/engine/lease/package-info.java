/**
 * Leases: their local expiry, their renewal, and the ends that are sent until the store acknowledges them.
 *
 * <p>Internal. May use {@code engine.ticket} and what that uses. Begin with
 * {@link dev.baton.lock.engine.lease.LeaseMonitor}.
 */
@NullMarked
package dev.baton.lock.engine.lease;

import org.jspecify.annotations.NullMarked;
