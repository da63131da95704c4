/** A page that shows the locks, served by the application itself. Loaded only where Spring MVC is on the class path; needs no Actuator. */
@NullMarked
package dev.baton.lock.board;

import org.jspecify.annotations.NullMarked;
