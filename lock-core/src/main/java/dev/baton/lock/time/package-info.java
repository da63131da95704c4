/**
 * Clocks and timers: monotonic time, the threads that timers run on, many deadlines on one timer, and the arithmetic of
 * leases.
 *
 * <p>Depends on no other package of Baton. Tests replace {@link dev.baton.lock.time.TimeSource} by a clock that they
 * move. Begin with {@link dev.baton.lock.time.TimeSource} and {@link dev.baton.lock.time.EngineExecutors}.
 */
@NullMarked
package dev.baton.lock.time;

import org.jspecify.annotations.NullMarked;
