/**
 * Provides the environment of Baton's tests: a real Redis, other processes, a network that fails on demand, and checked
 * histories. Does not depend on Baton. Begin with {@link dev.baton.lock.harness.TestRedis}.
 */
@NullMarked
package dev.baton.lock.harness;

import org.jspecify.annotations.NullMarked;
