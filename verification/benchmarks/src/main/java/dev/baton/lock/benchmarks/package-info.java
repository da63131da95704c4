/** Measures what locks cost. Each subject has a package; what writes the results is shared. Not published. */
@NullMarked
package dev.baton.lock.benchmarks;

import org.jspecify.annotations.NullMarked;
