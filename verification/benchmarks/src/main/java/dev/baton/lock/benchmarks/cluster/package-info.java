/** Compares locks in a Redis Cluster with locks on one server. Begin with {@link ClusterComparison}. */
@NullMarked
package dev.baton.lock.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
