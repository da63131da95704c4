/** The engine: waiting, renewing, and the pure decisions they rest on. */
@NullMarked
package dev.baton.lock.support;

import org.jspecify.annotations.NullMarked;
