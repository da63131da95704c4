package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.Renewal;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks that are taken from their holders: by force, or because a holder is stuck. */
public abstract class StealScenarios extends Scenarios {

    private static final LockRequest X =
            LockRequest.of("x").expire(Duration.ofSeconds(3)).renew(Renewal.ALWAYS);
    /** Two locks of one slot of a Redis Cluster, where a request for several locks needs that. */
    private static final LockRequest A =
            LockRequest.of("k", LockNames.tagged("t", "a")).expire(Duration.ofSeconds(3)).renew(Renewal.ALWAYS);

    private static final LockRequest B = LockRequest.of("k", LockNames.tagged("t", "b"));
    private static final LockRequest BOTH = A.and(B);
    private static final String LOCK = "x.global";
    private static final Duration STALL = Duration.ofMillis(1_500);
    private static final LockRequest STEALS =
            X.waitUnbounded().stallTime(STALL).onStuck(OnStuck.STEAL);
    private static final Duration SOON = Duration.ofSeconds(2);

    private final Recorder recorder = new Recorder();
    private LockTemplate one;
    private LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start();
        other = fleet.start(builder -> builder.listener(recorder));
    }

    @Test
    void holderLosesTheLockAndWaitersKeepTheirPlaces() throws Exception {
        Lease old = one.acquire(X);
        Future<Lease> waiter = fleet.begin(() -> one.acquire(X.waitUnbounded().owner("waiter")));
        fleet.awaitWaiting(LOCK, 1);

        Lease forced = other.forceAcquire(X.waitTime(Duration.ofSeconds(20)));
        assertThat(forced.isHeld()).isTrue();
        assertThat(forced.fencingToken()).isGreaterThan(old.fencingToken());
        assertThat(forced.contended()).isTrue();
        assertThat(forced.waitedFor()).map(LockHolder::fencingToken).contains(old.fencingToken());
        fleet.until(untilTold(), () -> !old.isHeld());
        assertThat(old.isExpired()).isTrue();
        assertThat(old.renew()).isFalse();
        assertThat(waiter.isDone()).isFalse();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(old::close)
                .withMessageContaining(
                        fleet.isSubscribed() ? "taken by another request" : "Redis no longer knew it");
        assertThat(forced.isHeld()).as("a late release does not disturb").isTrue();
        forced.verify();

        assertThat(forced.release()).isTrue();
        Lease next = fleet.get(waiter);
        assertThat(next.fencingToken()).isGreaterThan(forced.fencingToken());
        assertThat(next.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void freeLockIsGranted() {
        Lease lease = other.forceAcquire(X);
        assertThat(lease.contended()).isFalse();
        assertThat(lease.waitedFor()).isEmpty();
        assertThat(lease.release()).isTrue();
        assertThat(recorder.stolen).isEmpty();
        fleet.assertNothingLeft();
    }

    @Test
    void ownerThatHoldsTheLockEntersIt() {
        try (Lease outer = one.acquire(X)) {
            Lease inner = one.forceAcquire(X);
            assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
            assertThat(inner.release()).isTrue();
            assertThat(outer.isHeld()).isTrue();
            assertThatExceptionOfType(LockDeadlockException.class)
                    .isThrownBy(() -> one.forceAcquire(X.reentrant(false)));
            assertThatExceptionOfType(LockDeadlockException.class).isThrownBy(() -> one.forceAcquire(X.and(A)));
        }
        fleet.assertNothingLeft();
    }

    /** The process does not need the message, and does not pass on what it has lost. */
    @Test
    void holderOfTheSameProcessLosesTheLockAtOnce() throws Exception {
        Lease old = one.acquire(X);
        Future<Lease> waiter = fleet.begin(() -> one.acquire(X.waitUnbounded()));
        fleet.awaitWaiting(LOCK, 1);
        Lease forced = fleet.call(() -> {
            Lease taken = one.forceAcquire(X);
            assertThat(old.isHeld()).isFalse();
            return taken;
        });
        assertThat(old.release()).isFalse();
        fleet.pass(Duration.ofMillis(200));
        assertThat(waiter.isDone()).isFalse();
        assertThat(forced.release()).isTrue();
        Lease next = fleet.get(waiter);
        assertThat(next.fencingToken()).isGreaterThan(forced.fencingToken());
        assertThat(next.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void waiterOfTheSameProcessThatWasPassedTheLockLosesIt() throws Exception {
        Lease first = one.acquire(X);
        Future<Lease> second = fleet.begin(() -> one.acquire(X.waitUnbounded()));
        fleet.awaitWaiting(LOCK, 1);
        assertThat(first.release()).isTrue();
        Lease passed = fleet.get(second);
        Lease forced = other.forceAcquire(X);
        assertThat(forced.fencingToken()).isGreaterThan(passed.fencingToken());
        fleet.until(untilTold(), () -> !passed.isHeld());
        assertThat(passed.release()).isFalse();
        assertThat(forced.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void chosenOwnerSharesWhatIsTaken() throws Exception {
        Lease old = one.acquire(X);
        LockRequest owned = X.owner("job");
        Future<Lease> waiter = fleet.begin(() -> other.acquire(owned.waitUnbounded()));
        fleet.awaitWaiting(LOCK, 1);
        Lease forced = other.forceAcquire(owned);
        Lease entered = fleet.get(waiter);
        assertThat(entered.fencingToken()).isEqualTo(forced.fencingToken());
        fleet.until(untilTold(), () -> !old.isHeld());
        assertThat(entered.release()).isTrue();
        assertThat(forced.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void severalLocksAreTakenTogether() {
        Lease x = one.acquire(A);
        Lease y = one.acquire(B);
        Lease forced = other.forceAcquire(BOTH);
        assertThat(forced.names()).containsExactly("k.{t}a", "k.{t}b");
        assertThat(recorder.await(fleet).from()).hasSize(2);
        fleet.until(Duration.ofSeconds(12), () -> !x.isHeld() && !y.isHeld());
        assertThat(forced.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void holderOfSeveralLocksGivesTheOthersBack() {
        Lease both = one.acquire(BOTH.expire(Duration.ofSeconds(3)).renew(Renewal.ALWAYS));
        Lease forced = other.forceAcquire(A);
        fleet.until(untilTold(), () -> !both.isHeld());
        assertThat(both.release()).isFalse();
        fleet.until(SOON, () -> !fleet.isHeld("k.{t}b"));
        assertThat(forced.isHeld()).isTrue();
        assertThat(forced.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void lockIsTakenWithoutAWaitingThread() throws Exception {
        Lease old = one.acquire(X);
        Lease forced = fleet.get(other.forceAcquireAsync(X).toCompletableFuture());
        assertThat(forced.fencingToken()).isGreaterThan(old.fencingToken());
        fleet.until(untilTold(), () -> !old.isHeld());
        fleet.get(forced.releaseAsync().toCompletableFuture());
        assertThat(other.withNamespace("n").forceAcquire(X).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void listenersHearOfIt() {
        LockTemplate loser = fleet.start(builder -> builder.listener(recorder));
        Lease old = loser.acquire(X);
        Lease forced = other.forceAcquire(X);
        LockListener.Stolen event = recorder.await(fleet);
        assertThat(event.names()).containsExactly(LOCK);
        assertThat(event.owner()).isEqualTo(forced.owner());
        assertThat(event.stuckFor()).isNull();
        assertThat(event.from()).singleElement().returns(old.owner(), LockHolder::owner);
        fleet.until(untilTold(), () -> !recorder.lost.isEmpty());
        assertThat(recorder.lost).extracting(LockLostEvent::fencingToken).containsExactly(old.fencingToken());
        assertThat(forced.release()).isTrue();
    }

    @Test
    void thereIsNoWorkToInterrupt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.forceAcquire(X.onLost(OnLost.INTERRUPT)))
                .withMessageContaining("INTERRUPT");
    }

    @Test
    void stuckHolderLosesTheLock() throws Exception {
        Lease stuck = one.acquire(X);
        long start = fleet.nanoTime();
        Lease stolen = fleet.call(() -> other.acquire(STEALS));
        assertThat(fleet.since(start)).isBetween(STALL, STALL.plus(SOON));
        assertThat(stolen.fencingToken()).isGreaterThan(stuck.fencingToken());
        assertThat(stolen.waitedFor()).map(LockHolder::fencingToken).contains(stuck.fencingToken());
        LockListener.Stolen event = recorder.await(fleet);
        assertThat(event.stuckFor()).isBetween(STALL, STALL.plus(SOON));
        assertThat(event.from()).singleElement().returns(stuck.fencingToken(), LockHolder::fencingToken);
        fleet.until(untilTold(), () -> !stuck.isHeld());
        assertThat(stuck.release()).isFalse();
        assertThat(stolen.isHeld()).isTrue();
        assertThat(stolen.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void holderThatChangesIsNotStuck() throws Exception {
        Lease first = one.acquire(X);
        Future<Lease> second = fleet.begin(() -> one.acquire(X.waitUnbounded().recheck(Duration.ofMillis(100))));
        fleet.awaitWaiting(LOCK, 1);
        Future<Lease> thief = fleet.begin(() -> other.acquire(STEALS.recheck(Duration.ofMillis(100))));
        fleet.awaitWaiting(LOCK, 2);
        fleet.pass(STALL.dividedBy(2));
        assertThat(first.release()).isTrue();
        fleet.until(SOON, () -> second.isDone() || thief.isDone());
        if (thief.isDone()) {
            // without a queue, either of the two may be first
            assertThat(fleet.get(thief).release()).isTrue();
            assertThat(fleet.get(second).release()).isTrue();
            return;
        }
        Lease held = fleet.get(second);
        long start = fleet.nanoTime();
        assertThat(fleet.get(thief).fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(fleet.since(start))
                .as("the stall time begins again")
                .isGreaterThan(STALL.minusMillis(200));
        assertThat(held.release()).isFalse();
        assertThat(fleet.get(thief).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void severalStuckLocksOfOneHolderAreTaken() throws Exception {
        Lease stuck = one.acquire(BOTH.expire(Duration.ofSeconds(3)).renew(Renewal.ALWAYS));
        LockRequest steals = BOTH.waitUnbounded().stallTime(STALL).onStuck(OnStuck.STEAL);
        Lease stolen = fleet.call(() -> other.acquire(steals));
        assertThat(stolen.names()).hasSize(2);
        fleet.until(untilTold(), () -> !stuck.isHeld());
        assertThat(stuck.release()).isFalse();
        assertThat(stolen.release()).isTrue();
        fleet.assertNothingLeft();
    }

    /** One of them would lose a lock although it is not stuck. */
    @Test
    void severalLocksOfTwoHoldersAreNotTaken() throws Exception {
        Lease x = one.acquire(A);
        LockTemplate third = fleet.start();
        Lease y = third.acquire(B);
        LockRequest steals = BOTH.waitUnbounded()
                .stallTime(STALL)
                .onStuck(OnStuck.STEAL)
                .recheck(Duration.ofMillis(200));
        Future<Lease> waiter = fleet.begin(() -> other.acquire(steals));
        fleet.awaitWaiting(BOTH, 1);
        fleet.pass(STALL.multipliedBy(3));
        assertThat(x.isHeld()).isTrue();
        assertThat(y.isHeld()).isTrue();
        assertThat(waiter.isDone()).isFalse();
        assertThat(y.release()).isTrue();
        assertThat(fleet.get(waiter, SOON).release()).isTrue();
        fleet.until(untilTold(), () -> !x.isHeld());
        assertThat(x.release()).isFalse();
        fleet.assertNothingLeft();
    }

    @Test
    void twoThatStealOneAfterTheOther() throws Exception {
        Lease stuck = one.acquire(X);
        Future<Lease> first = fleet.begin(() -> other.acquire(STEALS));
        Future<Lease> second = fleet.begin(() -> other.acquire(STEALS));
        fleet.until(STALL.plus(SOON), () -> first.isDone() || second.isDone());
        fleet.pass(Duration.ofMillis(200));
        assertThat(first.isDone() && second.isDone())
                .as("the new holder has not been stuck yet")
                .isFalse();
        Lease held = fleet.get(first.isDone() ? first : second);
        assertThat(held.release()).isTrue();
        assertThat(fleet.get(first.isDone() && fleet.get(first) == held ? second : first).release())
                .isTrue();
        assertThat(stuck.release()).isFalse();
        fleet.assertNothingLeft();
    }

    @Test
    void stealingNeedsAStallTime() {
        LockRequest endless = X.onStuck(OnStuck.STEAL);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.acquire(endless))
                .withMessageContaining("onStuck STEAL of lock 'x.global' needs a stall time");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fleet.start(builder -> builder.scope(endless)))
                .withMessageContaining("onStuck STEAL of scope 'x' needs a stall time");
        LockTemplate stalls = fleet.start(builder -> builder.stallTime(STALL));
        assertThat(stalls.acquire(endless).release()).isTrue();
        assertThat(EngineCounters.waiters(stalls)).isZero();
    }

    /** A process that polls is told nothing, and notices at its next renewal. */
    private Duration untilTold() {
        return fleet.isSubscribed() ? SOON : Duration.ofSeconds(1).plus(SOON);
    }

    private static final class Recorder implements LockListener {

        private final Queue<Stolen> stolen = new ConcurrentLinkedQueue<>();
        private final Queue<LockLostEvent> lost = new ConcurrentLinkedQueue<>();

        @Override
        public void stolen(Stolen event) {
            stolen.add(event);
        }

        @Override
        public void lost(LockLostEvent event) {
            lost.add(event);
        }

        Stolen await(Fleet fleet) {
            fleet.until(SOON, () -> !stolen.isEmpty());
            assertThat(stolen).hasSize(1);
            return stolen.element();
        }
    }
}
