package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lock does, however its processes wait and whatever changes its state. */
public abstract class LockScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "x.global";

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        one = startProcess();
        other = startProcess();
    }

    private LockTemplate startProcess() {
        return fleet.start(builder -> builder.recheck(Duration.ofSeconds(1)).expire(Duration.ofSeconds(3)));
    }

    @Test
    void lockIsTakenAndGivenBackAndNothingIsLeft() {
        Lease lease = one.acquire(X);
        assertThat(lease.isHeld()).isTrue();
        assertThat(fleet.isHeld(LOCK)).isTrue();
        assertThat(lease.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void otherProcessIsRefusedAndToldTheHolder() {
        try (Lease lease = one.acquire(X)) {
            assertThat(other.tryAcquire(X)).isEmpty();
            long start = fleet.nanoTime();
            assertThatThrownBy(() -> fleet.call(() -> other.acquire(X.waitTime(Duration.ofMillis(700)))))
                    .isInstanceOfSatisfying(LockTimeoutException.class, ex -> {
                        assertThat(ex.holder().orElseThrow().fencingToken()).isEqualTo(lease.fencingToken());
                        assertThat(ex.holder().orElseThrow().owner()).isEqualTo(lease.owner());
                    });
            assertThat(fleet.since(start)).isBetween(Duration.ofMillis(700), Duration.ofMillis(3_000));
            assertThat(lease.isHeld()).isTrue();
            // until then the release below may hand the lock to the request that timed out, which gives it back
            fleet.until(Duration.ofSeconds(8), () -> EngineCounters.openRequests(other) == 0);
        }
        assertThat(other.tryAcquire(X).orElseThrow().release()).isTrue();
    }

    @Test
    void waiterIsGrantedAfterTheReleaseWithAGreaterToken() throws Exception {
        Lease lease = one.acquire(X);
        Future<Lease> waiter = fleet.begin(() -> other.acquire(X.waitTime(Duration.ofSeconds(8))));
        fleet.awaitWaiting(LOCK, 1);
        long released = fleet.nanoTime();
        lease.close();
        Lease next = fleet.get(waiter);
        assertThat(fleet.since(released)).isLessThan(Duration.ofSeconds(5));
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void waitersOfBothProcessesAreAllServedOneAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Future<Long>> waiters = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            waiters.add(fleet.begin(() -> process.execute(X.waitTime(Duration.ofSeconds(20)), lease -> {
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                inside.decrementAndGet();
                return lease.fencingToken();
            })));
        }
        List<Long> tokens = new ArrayList<>();
        for (Future<Long> waiter : waiters) {
            tokens.add(fleet.get(waiter));
        }
        assertThat(tokens).doesNotHaveDuplicates();
        fleet.assertNothingLeft();
    }

    @Test
    void leaseIsRenewedWhileItIsHeld() throws Exception {
        try (Lease lease = one.acquire(X)) {
            assertThat(fleet.call(() -> other.tryAcquire(X.waitTime(Duration.ofSeconds(4)))))
                    .isEmpty();
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.renew(Duration.ofSeconds(60))).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(50));
        }
        fleet.assertNothingLeft();
    }

    @Test
    void holderLearnsThatItsLockIsGone() {
        Lease lease = one.acquire(X);
        fleet.delete(LOCK);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void expiredLockIsTakenOver() throws Exception {
        Lease lease = one.acquire(X.expire(Duration.ofSeconds(1)));
        Lease next = fleet.call(() -> other.acquire(X.waitTime(Duration.ofSeconds(5))));
        assertThat(lease.isHeld()).isFalse();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        next.close();
        fleet.assertNothingLeft();
    }

    @Test
    void interruptEndsTheWait() throws Exception {
        try (Lease lease = one.acquire(X)) {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            Future<Lease> waiter = fleet.begin(() -> {
                thread.complete(Thread.currentThread());
                return other.acquire(X.waitUnbounded());
            });
            fleet.awaitWaiting(LOCK, 1);
            long interrupted = fleet.nanoTime();
            fleet.get(thread).interrupt();
            assertThatThrownBy(() -> fleet.get(waiter)).isInstanceOf(LockInterruptedException.class);
            assertThat(fleet.since(interrupted)).isLessThan(Duration.ofSeconds(5));
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(EngineCounters.awaitedNames(other)).isZero();
        fleet.assertNothingLeft();
    }
}
