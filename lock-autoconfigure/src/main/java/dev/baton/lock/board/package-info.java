/**
 * A page that shows locks, served by the application. Loaded only if Spring MVC is on the class path; needs no
 * Actuator.
 */
@NullMarked
package dev.baton.lock.board;

import org.jspecify.annotations.NullMarked;
