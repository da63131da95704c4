package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Owners: re-entry, other threads, namespaces, interrupts, and the end of the template. */
public abstract class ReentryScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final LockRequest Y = LockRequest.of("y");
    private static final String LOCK = "x.global";

    protected LockTemplate template;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        template = fleet.start();
        other = fleet.start();
    }

    @Test
    void reentryKeepsTheLockUntilTheLastRelease() {
        Lease outer = template.acquire(X);
        Lease inner = template.acquire(X);
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.waited()).isZero();
        assertThat(outer.release()).isTrue();
        assertThat(outer.isHeld()).isFalse();
        assertThat(inner.isHeld()).isTrue();
        assertThat(isBusy()).isTrue();
        inner.close();
        inner.close();
        assertThat(isBusy()).isFalse();
    }

    @Test
    void innerRequestExtendsAShorterOuterLease() {
        try (Lease outer = template.acquire(X.expire(Duration.ofSeconds(2)))) {
            try (Lease inner = template.acquire(X.expire(Duration.ofSeconds(20)))) {
                assertThat(inner.remaining()).isGreaterThan(Duration.ofSeconds(15));
                assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(15));
            }
        }
    }

    @Test
    void workUnderALostLeaseIsRefusedTheLock() {
        LockRequest limited = X.expire(Duration.ofSeconds(20));
        assertThatThrownBy(() -> template.execute(limited, outer -> {
                    fleet.delete(LOCK);
                    assertThat(outer.renew()).isFalse();
                    assertThatThrownBy(() -> template.acquire(X)).isInstanceOf(LockLostException.class);
                    return outer;
                }))
                .isInstanceOf(LockLostException.class);
        template.acquire(X).close();
    }

    @Test
    void lostLeaseDoesNotBarItsThreadFromTheLock() {
        Lease lost = template.acquire(X.expire(Duration.ofSeconds(20)));
        fleet.delete(LOCK);
        assertThat(lost.renew()).isFalse();
        try (Lease fresh = template.acquire(X)) {
            assertThat(fresh.fencingToken()).isGreaterThan(lost.fencingToken());
            assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class);
            assertThat(fresh.isHeld()).isTrue();
        }
    }

    @Test
    void requestThatIsNotReentrantFailsAtOnce() {
        template.execute(X, lease -> {
            assertThatThrownBy(() -> template.acquire(X.reentrant(false)))
                    .isInstanceOf(LockDeadlockException.class)
                    .hasMessageContaining(LOCK);
            return lease;
        });
    }

    @Test
    void otherThreadWaitsAndMayReleaseALeaseItWasGiven() throws Exception {
        Lease lease = template.acquire(X);
        assertThat(isBusy()).isTrue();
        assertThat(fleet.call(lease::release)).isTrue();
        assertThat(isBusy()).isFalse();
    }

    @Test
    void namespacesAreApartAndNest() {
        LockOperations orders = template.withNamespace("orders");
        try (Lease lease = orders.withNamespace("eu").acquire(X)) {
            assertThat(lease.redisKeys()).hasSize(1);
            template.acquire(X).close();
            assertThatThrownBy(
                            () -> orders.acquire(X.namespace("eu").reentrant(false)))
                    .isInstanceOf(LockDeadlockException.class);
            assertThat(other.withNamespace("orders").withNamespace("eu").tryAcquire(X))
                    .isEmpty();
        }
    }

    @Test
    void tryReportsTheHolder() {
        try (Lease lease = template.acquire(X)) {
            LockResult<String> result = other.tryExecute(X, held -> "done");
            assertThat(result).isInstanceOfSatisfying(LockResult.Busy.class, busy -> {
                assertThat(busy.holder().owner()).isEqualTo(lease.owner());
                assertThat(busy.holder().label())
                        .contains(Thread.currentThread().getName());
                assertThat(busy.remaining()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
            });
        }
        assertThat(other.tryExecute(X, held -> "done")).isEqualTo(new LockResult.Executed<>("done"));
    }

    @Test
    void interruptLeavesTheQueueAndKeepsTheFlag() throws Exception {
        try (Lease lease = template.acquire(X)) {
            CompletableFuture<Thread> waiter = new CompletableFuture<>();
            Future<Boolean> flag = fleet.begin(() -> {
                waiter.complete(Thread.currentThread());
                assertThatThrownBy(() -> other.acquire(X.waitUnbounded())).isInstanceOf(LockInterruptedException.class);
                return Thread.currentThread().isInterrupted();
            });
            fleet.awaitWaiting(LOCK, 1);
            waiter.join().interrupt();
            assertThat(fleet.get(flag)).isTrue();
            fleet.awaitWaiting(LOCK, 0);
            assertThat(lease.isHeld()).isTrue();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void stoppedTemplateWakesItsWaitersAndRefuses() throws Exception {
        try (Lease lease = template.acquire(X)) {
            Future<Lease> waiter = fleet.begin(() -> other.acquire(X.waitUnbounded()));
            fleet.awaitWaiting(LOCK, 1);
            other.close();
            assertThatThrownBy(() -> fleet.get(waiter))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("is stopping");
            assertThat(template.inspect(X).waiting()).as("requests in the queue").isZero();
            assertThatThrownBy(() -> other.acquire(Y)).isInstanceOf(LockStoreException.class);
            assertThat(lease.isHeld()).isTrue();
        }
        other.start();
        assertThat(other.execute(Y, Lease::isHeld)).isTrue();
        fleet.assertNothingLeft();
    }

    /** Returns whether another process is refused the lock. */
    private boolean isBusy() {
        return other.tryAcquire(X).map(lease -> !lease.release()).orElse(true);
    }
}
