/**
 * Hand-over within the process: acquisitions of one lock share a ticket, and pass the lock on among themselves.
 *
 * <p>Internal. May use {@code engine.wait} and what that uses. Begin with the overview in
 * {@link dev.baton.lock.engine.cohort.Cohort}.
 */
@NullMarked
package dev.baton.lock.engine.cohort;

import org.jspecify.annotations.NullMarked;
