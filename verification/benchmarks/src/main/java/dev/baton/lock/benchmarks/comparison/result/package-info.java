/** What was measured: within rounds, as a page and as pictures. */
@NullMarked
package dev.baton.lock.benchmarks.comparison.result;

import org.jspecify.annotations.NullMarked;
