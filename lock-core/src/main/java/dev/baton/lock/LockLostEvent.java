package dev.baton.lock;

import java.time.Duration;

/**
 * Reports that a lease ended before its holder was done: meanwhile another holder may have had the locks. Passed to
 * {@link LockListener#lost} and, in an application, also published as an application event; both in a thread of Baton's
 * own.
 *
 * @param request the request that was granted the lease; its label names the holder that lost it
 * @param fencingToken the token of the grant
 * @param heldFor the time from the grant until the loss was noticed, by this process's clock
 * @param reason the reason, as a clause: {@code "its lease ended and was not renewed"}
 */
public record LockLostEvent(LockListener.Request request, long fencingToken, Duration heldFor, String reason)
        implements LockListener.Event {}
