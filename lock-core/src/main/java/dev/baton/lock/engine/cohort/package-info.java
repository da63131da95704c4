/**
 * Hand-over within the process: requests for one lock stand in the store as one, and pass the lock on among themselves.
 *
 * <p>Internal. May use {@code engine.wait} and what that uses. Begin with the overview in
 * {@link dev.baton.lock.engine.cohort.Cohort}.
 */
@NullMarked
package dev.baton.lock.engine.cohort;

import org.jspecify.annotations.NullMarked;
