/** Locks for Reactor, loaded only where Reactor is on the class path. */
@NullMarked
package dev.baton.lock.reactive;

import org.jspecify.annotations.NullMarked;
