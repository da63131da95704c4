/** Actuator support for locks. Loaded only if Actuator is on the class path. */
@NullMarked
package dev.baton.lock.actuate;

import org.jspecify.annotations.NullMarked;
