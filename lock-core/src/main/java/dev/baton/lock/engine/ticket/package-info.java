/**
 * One request from its wait to its end, and its settings. Each phase of a claim is left by one compare-and-set. All other parts of
 * the engine act on claims; this package knows none of those parts.
 *
 * <p>Internal. May use {@code store}, {@code time} and {@code engine.event}. Begin with the overview in
 * {@link dev.baton.lock.engine.ticket.Claim}.
 */
@NullMarked
package dev.baton.lock.engine.ticket;

import org.jspecify.annotations.NullMarked;
