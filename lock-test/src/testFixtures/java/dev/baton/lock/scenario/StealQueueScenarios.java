package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnStuck;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Locks that readers share, and that are taken from them or by one of them, and locks with waiters at their conditions.
 */
public abstract class StealQueueScenarios extends Scenarios {

    private static final String LOCK = "k.a";
    private static final LockRequest WRITE = LockRequest.of("k", "a").waitUnbounded();
    private static final LockRequest READ = WRITE.mode(LockMode.SHARED);
    private static final Duration STALL = Duration.ofMillis(1_500);
    private static final Duration SOON = Duration.ofSeconds(2);

    private LockTemplate one;
    private LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start(builder -> builder.requestAfter(Duration.ofSeconds(1)));
        other = fleet.start(builder -> builder.requestAfter(Duration.ofSeconds(1)));
    }

    @Test
    void allReadersLoseTheLock() throws Exception {
        Lease first = one.acquire(READ);
        Lease second = fleet.call(() -> one.acquire(READ));
        Lease third = fleet.call(() -> other.acquire(READ));
        Lease writer = other.forceAcquire(WRITE);
        assertThat(writer.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(third.isHeld()).as("of the same process").isFalse();
        fleet.until(SOON, () -> !first.isHeld() && !second.isHeld());
        assertThat(first.release()).isFalse();
        assertThat(second.release()).isFalse();
        assertThat(third.release()).isFalse();
        assertThat(writer.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void readerBeginsARunThatWaitingReadersJoin() throws Exception {
        Lease writer = one.acquire(WRITE);
        Future<Lease> waiting = fleet.begin(() -> one.acquire(READ));
        fleet.awaitWaiting(LOCK, 1);
        Future<Lease> behind = fleet.begin(() -> one.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 2);
        Lease reader = other.forceAcquire(READ);
        assertThat(reader.fencingToken()).isGreaterThan(writer.fencingToken());
        Lease joined = fleet.get(waiting, SOON);
        assertThat(joined.fencingToken()).isEqualTo(reader.fencingToken());
        assertThat(behind.isDone()).isFalse();
        fleet.until(SOON, () -> !writer.isHeld());
        assertThat(writer.release()).isFalse();
        assertThat(reader.release()).isTrue();
        assertThat(joined.release()).isTrue();
        assertThat(fleet.get(behind).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void readerDoesNotTakeTheLockFromItself() {
        try (Lease reader = one.acquire(READ)) {
            assertThatExceptionOfType(LockDeadlockException.class).isThrownBy(() -> one.forceAcquire(WRITE));
            assertThat(reader.isHeld()).isTrue();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void runThatIsStuckLosesTheLock() throws Exception {
        Lease first = one.acquire(READ);
        Lease second = fleet.call(() -> other.acquire(READ));
        LockRequest steals = WRITE.stallTime(STALL).onStuck(OnStuck.STEAL);
        Lease writer = fleet.call(() -> other.acquire(steals));
        fleet.until(SOON, () -> !first.isHeld() && !second.isHeld());
        assertThat(first.release()).isFalse();
        assertThat(second.release()).isFalse();
        assertThat(writer.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void allReadersAreToldThatTheLockIsWanted() throws Exception {
        AtomicInteger told = new AtomicInteger();
        Lease first = one.acquire(READ);
        Lease second = fleet.call(() -> one.acquire(READ));
        Lease third = fleet.call(() -> other.acquire(READ));
        first.onRequested(() -> told.addAndGet(1));
        second.onRequested(() -> told.addAndGet(10));
        third.onRequested(() -> told.addAndGet(100));
        Future<Lease> writer = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 1);
        fleet.until(Duration.ofMillis(1_900), () -> told.get() == 111);
        first.release();
        second.release();
        third.release();
        fleet.get(writer).release();
        fleet.assertNothingLeft();
    }

    @Test
    void waiterAtAConditionOutlivesATheft() throws Exception {
        Future<Lease> waiter = fleet.begin(() -> one.acquire(WRITE).condition("c").await());
        fleet.awaitAwaiting(1);
        Lease old = one.acquire(WRITE);
        Lease thief = other.forceAcquire(WRITE);
        thief.condition("c").signal();
        fleet.until(SOON, () -> !old.isHeld());
        assertThat(waiter.isDone()).isFalse();
        assertThat(old.release()).isFalse();
        assertThat(thief.release()).isTrue();
        Lease back = fleet.get(waiter, SOON);
        assertThat(back.fencingToken()).isGreaterThan(thief.fencingToken());
        assertThat(back.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void lockThatCameBackFromAConditionIsTaken() throws Exception {
        Lease first = one.acquire(WRITE);
        Lease back = fleet.call(() -> first.condition("c").await(Duration.ofMillis(100)).lease());
        Lease thief = other.forceAcquire(WRITE);
        assertThat(thief.fencingToken()).isGreaterThan(back.fencingToken());
        fleet.until(SOON, () -> !back.isHeld());
        assertThat(first.present().isHeld()).isFalse();
        assertThat(back.release()).isFalse();
        assertThat(thief.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void lockDoesNotComeBackFromAConditionByForce() throws Exception {
        LockRequest steals = WRITE.stallTime(STALL).onStuck(OnStuck.STEAL);
        Future<Lease> waiter = fleet.begin(() -> one.acquire(steals).condition("c").await());
        fleet.awaitAwaiting(1);
        Lease stuck = other.acquire(WRITE);
        stuck.condition("c").signal();
        fleet.pass(STALL.multipliedBy(2));
        assertThat(stuck.isHeld()).isTrue();
        assertThat(waiter.isDone()).isFalse();
        assertThat(stuck.release()).isTrue();
        assertThat(fleet.get(waiter, SOON).release()).isTrue();
        fleet.assertNothingLeft();
    }
}
