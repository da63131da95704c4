package dev.baton.lock;

import java.time.Duration;

/**
 * A lease ended before its holder was done: meanwhile another may have the locks. Told to {@link LockListener#lost}, and in an
 * application also published as an application event, in a thread of Baton's own.
 *
 * @param request the request that it was granted to
 * @param fencingToken the token of the grant
 * @param heldFor from the grant until the loss was noticed, by this process's clock
 * @param reason why, as a clause: {@code "its lease ended and was not renewed"}
 */
public record LockLostEvent(LockListener.Request request, long fencingToken, Duration heldFor, String reason)
        implements LockListener.Event {}
