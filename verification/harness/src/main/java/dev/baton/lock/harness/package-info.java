/**
 * What tests of Baton need around the locks: a Redis of their own, other processes, a network that fails on demand, and
 * histories that are checked afterwards. Knows no lock. Begin with {@link dev.baton.lock.harness.TestRedis}.
 */
@NullMarked
package dev.baton.lock.harness;

import org.jspecify.annotations.NullMarked;
