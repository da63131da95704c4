/** Other processes that take part, and what is counted in Redis and in a process. */
@NullMarked
package dev.baton.lock.benchmarks.comparison.process;

import org.jspecify.annotations.NullMarked;
