/**
 * Events of one request for listeners, in the order that {@code LockListener} promises.
 *
 * <p>Internal. May use {@code time}. Begin with {@link dev.baton.lock.engine.event.RequestEvents}.
 */
@NullMarked
package dev.baton.lock.engine.event;

import org.jspecify.annotations.NullMarked;
