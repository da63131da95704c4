/** The ways of locking that are compared, each behind the same two calls. */
@NullMarked
package dev.baton.lock.benchmarks.comparison.contender;

import org.jspecify.annotations.NullMarked;
