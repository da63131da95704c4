/** What meters and observations cost. */
@NullMarked
package dev.baton.lock.benchmarks.observation;

import org.jspecify.annotations.NullMarked;
