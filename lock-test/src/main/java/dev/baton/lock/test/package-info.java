/**
 * What tests need around a lock.
 *
 * <p>Tests of an application: locks in memory ({@link dev.baton.lock.test.InMemoryLockStore}, or
 * {@link dev.baton.lock.test.AutoConfigureInMemoryLocks} on a test of Spring Boot), in a time that the test moves
 * ({@link dev.baton.lock.test.TestClock}), and assertions ({@link dev.baton.lock.test.LockAssertions}).
 *
 * <p>Tests of Baton: a Redis of their own, a network that fails on demand, other processes, and judges.
 */
@NullMarked
package dev.baton.lock.test;

import org.jspecify.annotations.NullMarked;
