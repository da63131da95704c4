/** Writes what was measured, in Markdown. */
@NullMarked
package dev.baton.lock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
