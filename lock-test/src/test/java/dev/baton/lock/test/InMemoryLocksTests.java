package dev.baton.lock.test;

import static dev.baton.lock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests processes that share a store in memory, on a clock that the test advances. */
class InMemoryLocksTests {

    private static final LockRequest REQUEST = LockRequest.of("server_access", 42);

    private final TestClock clock = TestClock.standing();
    private final InMemoryLockStore store = new InMemoryLockStore(clock);
    /** The requests are served by arrival over all processes. */
    private final LockTemplate one = LockTemplate.builder(store)
            .time(clock)
            .cohortLimit(0)
            .shutdownAwait(Duration.ZERO)
            .build();

    private final LockTemplate other = LockTemplate.builder(store.newProcess())
            .time(clock)
            .cohortLimit(0)
            .shutdownAwait(Duration.ZERO)
            .build();

    @AfterEach
    void stop() {
        one.close();
        other.close();
    }

    @Test
    void leaseEndsByTheClockAndTheWaiterIsGranted() throws Exception {
        Lease lease = one.acquire(REQUEST.expire(Duration.ofSeconds(10)));
        CountDownLatch lost = new CountDownLatch(1);
        lease.onLost(lost::countDown);
        CompletableFuture<Lease> waiter = waits(REQUEST.waitTime(Duration.ofMinutes(1)), 1);
        clock.advance(Duration.ofSeconds(9));
        assertThat(lease).isHeld();
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(800), Duration.ofSeconds(1));
        assertThat(waiter).isNotDone();
        clock.advance(Duration.ofSeconds(2));
        Lease next = waiter.get(5, TimeUnit.SECONDS);
        assertThat(lease).isLost();
        assertThat(lost.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(next).isHeld().isLaterThan(lease);
        assertThat(next.waited()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
        assertThat(one).isLockedBy(next.owner(), "server_access", 42);
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void processAsksAtMostOncePerRecheckForAllWaiters() {
        AtomicInteger rechecks = new AtomicInteger();
        try (LockTemplate waiting = LockTemplate.builder(store.newProcess())
                .time(clock)
                .cohortLimit(0)
                .recheck(Duration.ofSeconds(1))
                .listener(new LockListener() {
                    @Override
                    public void rechecked(Rechecked event) {
                        rechecks.incrementAndGet();
                    }
                })
                .shutdownAwait(Duration.ZERO)
                .build()) {
            one.acquire(REQUEST.expire(Duration.ofHours(1)));
            for (int i = 0; i < 5; i++) {
                waiting.acquireAsync(REQUEST.waitTime(Duration.ofMinutes(10)));
            }
            clock.advance(Duration.ofSeconds(100));

            // listeners are notified a moment later
            await().during(Duration.ofMillis(300)).until(() -> rechecks.get() == 99 || rechecks.get() == 100);
        }
    }

    @Test
    void renewedLeaseOutlastsAnyAdvanceOfTheClock() {
        Lease lease = one.acquire(REQUEST);
        clock.advance(Duration.ofMinutes(10));
        assertThat(lease).isHeld();
        assertThat(other).isLocked("server_access", 42);
        clock.advance(Duration.ofHours(25));
        assertThat(lease).isLost();
    }

    @Test
    void waitEndsByTheClock() {
        one.acquire(REQUEST);
        CompletableFuture<Lease> waiter = waits(REQUEST.waitTime(Duration.ofSeconds(5)), 1);
        clock.advance(Duration.ofMillis(4_999));
        assertThat(waiter).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThatThrownBy(() -> waiter.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("not granted within 5000 ms");
        await().untilAsserted(() -> assertThat(one).hasWaiters(0, "server_access", 42));
    }

    @Test
    void releaseHandsTheLockOverByArrival() throws Exception {
        Lease lease = one.acquire(REQUEST);
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            waiters.add(waits(REQUEST.waitUnbounded(), i));
        }
        for (CompletableFuture<Lease> waiter : waiters) {
            assertThat(waiter).isNotDone();
            lease.release();
            lease = waiter.get(5, TimeUnit.SECONDS);
        }
        lease.release();
        assertThat(one).hasNoLocks();
    }

    @Test
    void deafProcessFindsItsGrantAtItsRecheck() throws Exception {
        Lease lease = one.acquire(REQUEST);
        InMemoryLockStore deafStore = store.newProcess();
        try (LockTemplate deaf = LockTemplate.builder(deafStore)
                .time(clock)
                .shutdownAwait(Duration.ZERO)
                .build()) {
            deafStore.setListening(false);
            CompletableFuture<Lease> waiter =
                    CompletableFuture.supplyAsync(() -> deaf.acquire(REQUEST.waitUnbounded()));
            awaitWaiting(1);
            lease.release();
            clock.settle();
            assertThat(waiter).isNotDone();
            clock.advance(Duration.ofSeconds(1));
            assertThat(waiter.get(5, TimeUnit.SECONDS)).isHeld();
        }
    }

    @Test
    void forceReleaseNotifiesTheHolder() {
        Lease lease = one.acquire(REQUEST);
        assertThat(other.forceRelease(REQUEST)).isTrue();
        clock.settle();
        assertThat(lease).isLost();
        assertThat(other).isNotLocked("server_access", 42);
    }

    @Test
    void storeThatLosesItsDataLosesItsLocks() {
        Lease lease = one.acquire(REQUEST);
        store.clear();
        Lease next = other.acquire(REQUEST);
        assertThat(next).isHeld();
        clock.advance(Duration.ofSeconds(11));
        assertThat(lease).isLost();
        assertThat(next).isHeld();
    }

    @Test
    void tickingClockAdvancesOnItsOwn() {
        TestClock ticking = TestClock.ticking();
        try (LockTemplate template = LockTemplate.builder(new InMemoryLockStore(ticking))
                .time(ticking)
                .shutdownAwait(Duration.ZERO)
                .build()) {
            Lease lease = template.acquire(REQUEST.expire(Duration.ofHours(1)));
            assertThatThrownBy(() -> CompletableFuture.supplyAsync(
                                    () -> template.acquire(REQUEST.waitTime(Duration.ofMillis(20))))
                            .get(5, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockTimeoutException.class);
            assertThat(lease.release()).isTrue();
            Lease brief = template.acquire(REQUEST.expire(Duration.ofMillis(500)));
            await().atMost(Duration.ofSeconds(5)).until(() -> !brief.isHeld());
            assertThat(brief.release()).isFalse();
            Lease next =
                    template.tryAcquire(REQUEST.expire(Duration.ofHours(1))).orElseThrow();
            ticking.advance(Duration.ofHours(2));
            assertThat(next).isLost();
        }
    }

    @Test
    void clockDoesNotGoBackAndIsNotAdvancedByItsTasks() throws Exception {
        assertThatThrownBy(() -> clock.advance(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        CompletableFuture<Void> refused = new CompletableFuture<>();
        clock.newTimer("test")
                .schedule(
                        () -> {
                            try {
                                clock.advance(Duration.ofSeconds(1));
                            } catch (IllegalStateException ex) {
                                refused.completeExceptionally(ex);
                            }
                        },
                        0);
        assertThatThrownBy(() -> refused.get(5, TimeUnit.SECONDS)).hasMessageContaining("cannot wait for itself");
    }

    private CompletableFuture<Lease> waits(LockRequest request, int place) {
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> other.acquire(request));
        awaitWaiting(place);
        return waiter;
    }

    private void awaitWaiting(int count) {
        await().pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(one).hasWaiters(count, "server_access", 42));
    }
}
