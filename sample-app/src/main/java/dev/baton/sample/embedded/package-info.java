/** Starts a Redis with the sample, for machines without one. */
@NullMarked
package dev.baton.sample.embedded;

import org.jspecify.annotations.NullMarked;
