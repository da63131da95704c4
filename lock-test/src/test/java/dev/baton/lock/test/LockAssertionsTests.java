package dev.baton.lock.test;

import static dev.baton.lock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockAssertionsTests {

    private final TestClock clock = TestClock.standing();
    private final LockTemplate locks = LockTemplate.builder(new InMemoryLockStore(clock))
            .time(clock)
            .shutdownAwait(Duration.ZERO)
            .build();

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    void heldLockIsHeldByItsOwner() {
        Lease lease = locks.acquire(LockRequest.of("invoice", "acme", 7));
        assertThat(locks).isLocked("invoice", "acme", 7).isNotLocked("invoice").hasWaiters(0, "invoice", "acme", 7);
        assertThat(locks).isLockedBy(lease.owner(), "invoice", "acme", 7);
        assertFails(() -> assertThat(locks).isNotLocked("invoice", "acme", 7), "lock 'invoice.acme:7' to be free");
        assertFails(() -> assertThat(locks).isLockedBy("me", "invoice", "acme", 7), "held by owner 'me'");
        assertFails(() -> assertThat(locks).hasNoLocks(), "name=invoice.acme:7");
        assertFails(() -> assertThat(lease).isLost(), "is held");
        assertFails(() -> assertThat(lease).isLaterThan(lease), "greater than");
    }

    @Test
    void freeLockIsNotHeld() {
        Lease lease = locks.acquire(LockRequest.of("x"));
        lease.release();
        assertThat(locks).isNotLocked("x").hasNoLocks();
        assertFails(() -> assertThat(locks).isLocked("x"), "lock 'x.global' to be held, but it is free");
        assertFails(() -> assertThat(locks).isLockedBy("me", "x"), "it is free");
        assertFails(() -> assertThat(locks).hasWaiters(1, "x"), "Expected 1 to wait");
        assertFails(() -> assertThat(lease).isHeld(), "was released");
    }

    private static void assertFails(Runnable assertion, String message) {
        assertThatThrownBy(assertion::run).isInstanceOf(AssertionError.class).hasMessageContaining(message);
    }
}
