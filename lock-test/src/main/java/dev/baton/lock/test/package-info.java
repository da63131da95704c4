/**
 * Test support for applications with locks: in-memory locks ({@link dev.baton.lock.test.InMemoryLockStore}, or
 * {@link dev.baton.lock.test.AutoConfigureInMemoryLocks} on a Spring Boot test), a clock that the test controls
 * ({@link dev.baton.lock.test.TestClock}), and assertions ({@link dev.baton.lock.test.LockAssertions}).
 *
 * <p>For tests of another store: its contract ({@link dev.baton.lock.test.LockStoreContract}).
 */
@NullMarked
package dev.baton.lock.test;

import org.jspecify.annotations.NullMarked;
