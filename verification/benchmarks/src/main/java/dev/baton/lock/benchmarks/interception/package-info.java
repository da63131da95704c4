/** What the annotation costs beside the same lock taken by hand, without a Redis. */
@NullMarked
package dev.baton.lock.benchmarks.interception;

import org.jspecify.annotations.NullMarked;
