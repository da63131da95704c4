package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A waiter for several locks among waiters for one of them: it neither holds the others up for long, nor starves. Needs a queue.
 */
public abstract class SeveralLocksPatienceScenarios extends Scenarios {

    protected static final LockRequest A = SeveralLocksScenarios.A;
    protected static final LockRequest B = SeveralLocksScenarios.B;
    protected static final LockRequest BOTH = SeveralLocksScenarios.BOTH;
    /** For how long others pass a waiter for several locks, unless a process is set otherwise. */
    protected static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The names of the locks. */
    protected static final String NAME_A = "k.{t}a";

    private static final String NAME_B = "k.{t}b";

    private static final Duration STEP = Duration.ofMillis(50);

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start();
        other = fleet.start();
    }

    @Test
    void anotherTakesAFreeLockAtOnceWithinThePatienceAndNotAfterIt() throws Exception {
        Lease busy = other.acquire(B);
        long asked = fleet.nanoTime();
        Future<Lease> both = fleet.begin(() -> one.acquire(BOTH.waitUnbounded()));
        fleet.awaitWaiting(NAME_A, 1);
        int taken = 0;
        Optional<Lease> lease = other.tryAcquire(A);
        while (lease.isPresent() && fleet.since(asked).compareTo(PATIENCE.multipliedBy(3)) < 0) {
            assertThat(lease.get().release()).isTrue();
            taken++;
            fleet.pass(STEP);
            lease = other.tryAcquire(A);
        }
        assertThat(taken).isPositive();
        assertThat(fleet.since(asked)).isBetween(PATIENCE, PATIENCE.plusSeconds(1));
        assertThat(fleet.isHeld(NAME_A)).as("a is kept free").isFalse();
        busy.close();
        assertThat(fleet.get(both, Duration.ofSeconds(2)).release()).isTrue();
        other.acquire(A).close();
    }

    @Test
    void waiterIsToldThatItHasBoth() throws Exception {
        Lease busy = other.acquire(B);
        // so that nothing is noticed by asking again
        LockTemplate calm = fleet.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        Future<Lease> both = fleet.begin(() -> calm.acquire(BOTH));
        fleet.awaitWaiting(NAME_B, 1);
        busy.close();
        try (Lease lease = fleet.get(both, Duration.ofSeconds(3))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.contended()).isTrue();
            assertThat(other.tryAcquire(A)).isEmpty();
            assertThat(other.tryAcquire(B)).isEmpty();
        }
    }

    @Test
    void timeOutLeavesEveryQueueAndHandsOverWhatWasKept() throws Exception {
        LockTemplate calm = fleet.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        LockTemplate strict = fleet.start(builder -> builder.patience(Duration.ZERO));
        Lease busy = other.acquire(B);
        Future<Lease> both = fleet.begin(() -> strict.acquire(BOTH.waitTime(Duration.ofSeconds(3))));
        fleet.awaitWaiting(NAME_A, 1);
        Future<Lease> next = fleet.begin(() -> calm.acquire(A));
        fleet.awaitWaiting(NAME_A, 2);
        assertThat(fleet.isHeld(NAME_A)).as("kept free").isFalse();
        assertThatThrownBy(() -> fleet.get(both, Duration.ofSeconds(6))).isInstanceOf(LockTimeoutException.class);
        assertThat(fleet.get(next, Duration.ofSeconds(2)).isHeld()).isTrue();
        assertThat(fleet.isHeldOnly(NAME_A, NAME_B)).isTrue();
        assertThat(busy.release()).isTrue();
    }

    /** A request that is granted is followed by the next before its lock is given back. */
    @Test
    void bothAreGrantedWithinFiveSecondsAlthoughEachIsWantedAllTheTime() throws Exception {
        List<Future<Lease>> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            others.add(askForOne(i));
        }
        // from now on both locks are held or awaited, and only this thread gives them back
        fleet.until(Duration.ofSeconds(10), () -> fleet.isHeld(NAME_A) && fleet.isHeld(NAME_B));
        for (int i = 0; i < 3; i++) {
            Future<Lease> both = fleet.begin(() -> one.acquire(BOTH.waitTime(Duration.ofSeconds(5))));
            int taken = 0;
            while (!both.isDone()) {
                fleet.pass(STEP);
                taken += replaceGranted(others);
            }
            Lease lease = fleet.get(both);
            assertThat(lease.isHeld()).isTrue();
            assertThat(others).as("the lock of another").noneMatch(Future::isDone);
            assertThat(taken).as("within its patience").isPositive();
            lease.close();
        }
        while (!others.isEmpty()) {
            fleet.until(Duration.ofSeconds(2), () -> others.stream().anyMatch(Future::isDone));
            giveBackGranted(others);
        }
        fleet.assertNothingLeft();
    }

    private Future<Lease> askForOne(int place) {
        LockTemplate process = place < 4 ? one : other;
        LockRequest request = place % 2 == 0 ? A : B;
        return fleet.begin(() -> process.acquire(request.waitUnbounded()));
    }

    private void giveBackGranted(List<Future<Lease>> others) throws Exception {
        for (Iterator<Future<Lease>> each = others.iterator(); each.hasNext(); ) {
            Future<Lease> asked = each.next();
            if (asked.isDone()) {
                each.remove();
                assertThat(fleet.get(asked).release()).isTrue();
            }
        }
    }

    private int replaceGranted(List<Future<Lease>> others) throws Exception {
        int granted = 0;
        for (int i = 0; i < others.size(); i++) {
            Future<Lease> each = others.get(i);
            if (each.isDone()) {
                others.set(i, askForOne(i));
                assertThat(fleet.get(each).release()).isTrue();
                granted++;
            }
        }
        return granted;
    }

    @Test
    void twoThatAskForBothInOppositeOrderNeverTimeOut() throws Exception {
        askInOppositeOrder(rounds());
    }

    /** Two processes ask for both locks so many times each, and neither ever times out. */
    protected void askInOppositeOrder(int rounds) throws Exception {
        LockRequest ab = BOTH.waitTime(Duration.ofSeconds(5));
        LockRequest ba = LockRequest.ofAll("k", List.of(LockNames.tagged("t", "b"), LockNames.tagged("t", "a"))).waitTime(Duration.ofSeconds(5));
        AtomicInteger inside = new AtomicInteger();
        Future<Integer> first = fleet.begin(() -> rounds(one, ab, inside, rounds));
        Future<Integer> second = fleet.begin(() -> rounds(other, ba, inside, rounds));
        assertThat(fleet.get(first, Duration.ofMinutes(5))).as("time-outs").isZero();
        assertThat(fleet.get(second, Duration.ofMinutes(5))).as("time-outs").isZero();
        fleet.assertNothingLeft();
    }

    private int rounds(LockTemplate template, LockRequest request, AtomicInteger inside, int count) {
        int timeouts = 0;
        for (int i = 0; i < count; i++) {
            try {
                template.executeWithoutResult(request, lease -> alone(inside));
            } catch (LockTimeoutException ex) {
                timeouts++;
            }
        }
        return timeouts;
    }

    /** Returns how many times a process asks for both. */
    protected int rounds() {
        return 100;
    }

    protected static void alone(AtomicInteger inside) {
        assertThat(inside.incrementAndGet()).isEqualTo(1);
        Thread.yield();
        inside.decrementAndGet();
    }
}
