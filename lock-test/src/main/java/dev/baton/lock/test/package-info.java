/**
 * Test support for locks.
 *
 * <p>For tests of an application: in-memory locks ({@link dev.baton.lock.test.InMemoryLockStore}, or
 * {@link dev.baton.lock.test.AutoConfigureInMemoryLocks} on a Spring Boot test), a clock that the test controls
 * ({@link dev.baton.lock.test.TestClock}), and assertions ({@link dev.baton.lock.test.LockAssertions}).
 *
 * <p>For tests of Baton: a Redis of their own, a network that fails on demand, other processes, and history checks.
 */
@NullMarked
package dev.baton.lock.test;

import org.jspecify.annotations.NullMarked;
