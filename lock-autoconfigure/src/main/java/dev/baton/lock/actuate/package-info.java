/** What Actuator shows of the locks; loaded only where it is on the class path. */
@NullMarked
package dev.baton.lock.actuate;

import org.jspecify.annotations.NullMarked;
