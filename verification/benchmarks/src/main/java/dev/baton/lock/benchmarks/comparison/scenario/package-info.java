/** What the contenders are made to do. */
@NullMarked
package dev.baton.lock.benchmarks.comparison.scenario;

import org.jspecify.annotations.NullMarked;
