package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holders that learn that others wait for their locks. */
public abstract class RequestedScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x").waitUnbounded();
    private static final String LOCK = "x.global";
    private static final Duration AFTER = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final AtomicInteger requested = new AtomicInteger();
    private LockTemplate one;
    private LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start(builder -> builder.requestAfter(AFTER));
        other = fleet.start(builder -> builder.requestAfter(AFTER));
    }

    @Test
    void holderIsToldWhenAnotherProcessHasWaited() throws Exception {
        Lease lease = one.acquire(X);
        lease.onRequested(requested::incrementAndGet);
        long start = fleet.nanoTime();
        Future<Lease> waiter = fleet.begin(() -> other.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        if (!fleet.isSubscribed()) {
            fleet.pass(AFTER.multipliedBy(3));
            assertThat(requested).as("no message reaches it").hasValue(0);
        } else {
            fleet.until(AFTER.plus(SOON), () -> requested.get() == 1);
            assertThat(fleet.since(start)).isGreaterThanOrEqualTo(AFTER);
            fleet.pass(AFTER.multipliedBy(3));
            assertThat(requested).as("once per time").hasValueBetween(3, 4);
        }
        lease.release();
        fleet.get(waiter).release();
        fleet.assertNothingLeft();
    }

    @Test
    void holderIsToldOfWaitersOfItsOwnProcess() throws Exception {
        Lease lease = one.acquire(X);
        lease.onRequested(requested::incrementAndGet);
        Future<Lease> waiter = fleet.begin(() -> one.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        fleet.until(AFTER.plus(SOON), () -> requested.get() == 1);
        lease.release();
        Lease next = fleet.get(waiter);
        fleet.pass(AFTER.multipliedBy(2));
        assertThat(requested).as("no longer waits").hasValue(1);
        next.release();
        fleet.assertNothingLeft();
    }

    @Test
    void shortWaitTellsNothing() throws Exception {
        Lease lease = one.acquire(X);
        lease.onRequested(requested::incrementAndGet);
        Future<Lease> waiter = fleet.begin(() -> one.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        fleet.pass(AFTER.dividedBy(2));
        assertThat(requested).hasValue(0);
        lease.release();
        fleet.get(waiter).release();
        fleet.pass(AFTER.multipliedBy(2));
        assertThat(requested).hasValue(0);
    }

    @Test
    void eachLeaseOfAGrantIsToldUntilItIsClosed() throws Exception {
        AtomicInteger inner = new AtomicInteger();
        Lease lease = one.acquire(X);
        lease.onRequested(() -> {
            requested.incrementAndGet();
            throw new IllegalStateException("a callback that fails");
        });
        Lease again = one.acquire(X);
        again.onRequested(inner::incrementAndGet);
        Future<Lease> waiter = fleet.begin(() -> one.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        fleet.until(AFTER.plus(SOON), () -> requested.get() == 1 && inner.get() == 1);
        again.release();
        fleet.until(AFTER.plus(SOON), () -> requested.get() == 2);
        assertThat(inner).hasValue(1);
        lease.release();
        fleet.get(waiter).release();
        fleet.assertNothingLeft();
    }

    @Test
    void actionThatIsAddedLateRunsWithTheNextHint() throws Exception {
        Lease lease = one.acquire(X);
        Future<Lease> waiter = fleet.begin(() -> one.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        fleet.pass(AFTER.plus(AFTER.dividedBy(2)));
        lease.onRequested(requested::incrementAndGet);
        fleet.until(AFTER, () -> requested.get() == 1);
        lease.release();
        fleet.get(waiter).release();
    }

    @Test
    void processThatTellsNoneTellsNone() throws Exception {
        LockTemplate silent = fleet.start(builder -> builder.requestAfter(Duration.ZERO));
        Lease lease = one.acquire(X);
        lease.onRequested(requested::incrementAndGet);
        Future<Lease> waiter = fleet.begin(() -> silent.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        fleet.pass(AFTER.multipliedBy(3));
        assertThat(requested).hasValue(0);
        lease.release();
        fleet.get(waiter).release();
        fleet.assertNothingLeft();
    }
}
