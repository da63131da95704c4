/** Ways of locking, compared side by side in one run on one Redis. */
@NullMarked
package dev.baton.lock.benchmarks.comparison;

import org.jspecify.annotations.NullMarked;
