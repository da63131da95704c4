/**
 * The entries of a process in the store, the callers on whose behalf it asks, and the settings of an engine. Each phase of
 * a ticket and of an acquisition is left by one compare-and-set. All other parts of the engine act on tickets; this
 * package knows none of those parts.
 *
 * <p>Internal. May use {@code store}, {@code time} and {@code engine.event}. Begin with
 * {@link dev.baton.lock.engine.ticket.Lifecycle}, then {@link dev.baton.lock.engine.ticket.Ticket}.
 */
@NullMarked
package dev.baton.lock.engine.ticket;

import org.jspecify.annotations.NullMarked;
