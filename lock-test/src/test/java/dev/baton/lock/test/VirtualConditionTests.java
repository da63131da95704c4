package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LeaseCondition;
import dev.baton.lock.LeaseCondition.Woken;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.Renewal;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of waits at conditions if the store loses its data, or processes die. In virtual time. */
@Tag("once")
@ParameterizedClass(name = "{0}")
@MethodSource("dev.baton.lock.test.VirtualMode#queueing")
@Timeout(120)
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what one wait does is tested
class VirtualConditionTests {

    private static final String LOCK = "k.a";
    private static final LockRequest X = LockRequest.of("k", "a").waitUnbounded();
    private static final String EMPTY = "notEmpty";
    private static final Duration RECHECK = Duration.ofSeconds(10);

    private final VirtualFleet fleet;
    private LockTemplate one;
    private LockTemplate other;

    VirtualConditionTests(VirtualMode mode) {
        fleet = new VirtualFleet(mode);
    }

    @BeforeEach
    void start() {
        one = fleet.start(builder -> builder.recheck(RECHECK));
        other = fleet.start(builder -> builder.recheck(RECHECK));
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    /** C3: the wake-up is not lost with the list, and not even with the signal. */
    @Test
    void waiterWakesUpWithinOneRecheckAfterTheStoreHasLostItsData() throws Exception {
        Future<Woken> waiter = awaiting(one, Duration.ofMinutes(10));
        fleet.awaitAwaiting(1);
        long began = fleet.nanoTime();
        fleet.flush();
        Woken woken = fleet.get(waiter);
        assertThat(fleet.since(began)).isLessThanOrEqualTo(RECHECK);
        assertThat(woken.inTime()).as("a spurious wake-up").isTrue();
        assertThat(woken.lease().release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void waiterWakesUpAfterASignalThatTheStoreHasLost() throws Exception {
        Future<Woken> waiter = awaiting(one, Duration.ofMinutes(10));
        fleet.awaitAwaiting(1);
        Lease signaller = other.acquire(X);
        signaller.condition(EMPTY).signal();
        fleet.flush();
        assertThat(signaller.release()).as("lost").isFalse();
        assertThat(fleet.get(waiter, RECHECK.plusSeconds(1)).lease().release()).isTrue();
        fleet.assertNothingLeft();
    }

    /** A failover may lose a signal, and shows as a subscription that begins again. */
    @Test
    void waiterWakesUpWhenItsSubscriptionBeginsAgain() throws Exception {
        Future<Woken> waiter = awaiting(one, Duration.ofMinutes(10));
        fleet.awaitAwaiting(1);
        fleet.listen(one, false);
        fleet.pass(Duration.ofMillis(10));
        assertThat(waiter.isDone()).isFalse();
        fleet.listen(one, true);
        assertThat(fleet.get(waiter, Duration.ofMillis(1)).lease().release()).isTrue();
    }

    @Test
    void signalReachesAWaiterWithoutASubscription() throws Exception {
        Future<Woken> waiter = awaiting(one, Duration.ofMinutes(10));
        fleet.awaitAwaiting(1);
        fleet.listen(one, false);
        signal(other);
        assertThat(fleet.get(waiter, RECHECK.multipliedBy(2)).lease().release()).isTrue();
        fleet.assertNothingLeft();
    }

    /** C1: dead before the signal. */
    @Test
    void signalPassesOverADeadProcess() throws Exception {
        awaiting(one, Duration.ofMinutes(10));
        fleet.awaitAwaiting(1);
        Future<Woken> next = awaiting(other, Duration.ofMinutes(10));
        fleet.awaitAwaiting(2);
        fleet.kill(one);
        signal(other);
        assertThat(fleet.get(next, Duration.ofMillis(1)).lease().release()).isTrue();
    }

    /** C1: dead between the signal and the grant. */
    @Test
    void signalOfAProcessThatDiesUngrantedIsPassedOn() throws Exception {
        awaiting(one, Duration.ofMinutes(10));
        fleet.awaitAwaiting(1);
        Future<Woken> next = awaiting(other, Duration.ofMinutes(10));
        fleet.awaitAwaiting(2);
        Lease signaller = other.acquire(X);
        signaller.condition(EMPTY).signal();
        fleet.kill(one);
        assertThat(signaller.release()).isTrue();
        Woken woken = fleet.get(next, RECHECK.multipliedBy(6));
        assertThat(woken.inTime()).isTrue();
        assertThat(woken.lease().release()).isTrue();
    }

    @Test
    void waiterOutlivesManyRechecksWithoutASignal() throws Exception {
        Future<Woken> waiter = awaiting(one, Duration.ofMinutes(10));
        fleet.awaitAwaiting(1);
        fleet.pass(Duration.ofMinutes(5));
        assertThat(waiter.isDone()).isFalse();
        assertThat(other.isLocked(X)).isFalse();
        signal(other);
        Woken woken = fleet.get(waiter, Duration.ofMillis(1));
        assertThat(woken.inTime()).isTrue();
        assertThat(woken.lease().remaining()).isGreaterThan(Duration.ofSeconds(5));
        assertThat(woken.lease().release()).isTrue();
    }

    @Test
    void storeThatIsDownLeavesNothingHeldAndUnlocksWithoutAnError() throws Exception {
        DistributedMutex mutex = one.mutex(X);
        Future<Boolean> waiter = fleet.begin(() -> {
            mutex.lock();
            mutex.lock();
            try {
                fleet.kill(one);
                assertThatThrownBy(() -> mutex.newCondition().await()).isInstanceOf(LockStoreException.class);
                return mutex.lease().orElseThrow().isHeld();
            } finally {
                mutex.unlock();
                mutex.unlock();
            }
        });
        assertThat(fleet.get(waiter)).isFalse();
        assertThat(mutex.getHoldCount()).isZero();
    }

    @Test
    void storeThatGoesDownMeanwhileEndsTheWait() throws Exception {
        Future<Woken> waiter = awaiting(one, Duration.ofMinutes(1));
        fleet.awaitAwaiting(1);
        fleet.kill(one);
        assertThatThrownBy(() -> fleet.get(waiter)).isInstanceOf(LockStoreException.class);
    }

    @Test
    void lockedAgainAfterAFailedWaitIsUnlockedFirst() throws Exception {
        CompletableFuture<String> release = new CompletableFuture<>();
        DistributedMutex mutex = one.mutex(X.waitTime(Duration.ofSeconds(1)));
        Future<Boolean> waiter = fleet.begin(() -> {
            mutex.lock();
            try {
                LeaseCondition condition = mutex.lease().orElseThrow().condition(EMPTY);
                assertThatThrownBy(() -> condition.await(Duration.ofSeconds(5))).hasMessageContaining(LOCK);
                release.complete("");
                mutex.lock();
                boolean held = mutex.lease().orElseThrow().isHeld();
                mutex.unlock();
                return held && !other.isLocked(X);
            } finally {
                mutex.unlock();
            }
        });
        fleet.awaitAwaiting(1);
        Lease busy = other.acquire(X.expire(Duration.ofSeconds(20)).renew(Renewal.NEVER));
        assertThat(busy.isHeld()).isTrue();
        release.thenAccept(done -> busy.release());
        assertThat(fleet.get(waiter)).isTrue();
    }

    private Future<Woken> awaiting(LockTemplate process, Duration time) {
        return fleet.begin(() -> process.acquire(X).condition(EMPTY).await(time));
    }

    private static void signal(LockTemplate process) {
        try (Lease lease = process.acquire(X)) {
            lease.condition(EMPTY).signal();
        }
    }
}
