package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of service, where waiters stand in a queue. */
public abstract class QueueScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "x.global";

    /** Longer than any of these scenarios: no waiter is served because it asks again. */
    private static final Duration LONG_RECHECK = Duration.ofSeconds(30);

    private Lease held;

    @BeforeEach
    void start() {
        held = startProcess().acquire(X);
    }

    private LockTemplate startProcess() {
        return fleet.start(builder -> builder.recheck(LONG_RECHECK));
    }

    /** Returns the waiter once it has its place, as the last of so many. */
    private <T> Future<T> waits(CompletableFuture<T> waiter, int place) {
        fleet.awaitWaiting(LOCK, place);
        return waiter;
    }

    @Test
    void handOverWakesTheFirstWaiterAtOnce() throws Exception {
        LockTemplate process = startProcess();
        Future<Long> waiter = waits(fleet.begin(() -> process.execute(X, lease -> fleet.nanoTime())), 1);
        fleet.pass(Duration.ofSeconds(1));
        long released = fleet.nanoTime();
        held.close();
        assertThat(Duration.ofNanos(fleet.get(waiter) - released)).isLessThan(fleet.moment());
        fleet.assertNothingLeft();
    }

    @Test
    void waitersOfThreeProcessesAreServedInTheOrderOfTheirArrival() throws Exception {
        List<LockTemplate> processes = List.of(startProcess(), startProcess(), startProcess());
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Future<?>> waiters = new ArrayList<>();
        for (int i : List.of(2, 0, 1)) {
            waiters.add(waits(
                    fleet.begin(() -> processes.get(i).execute(X, lease -> served.add(i))), waiters.size() + 1));
        }
        long released = fleet.nanoTime();
        held.close();
        for (Future<?> waiter : waiters) {
            fleet.get(waiter);
        }
        assertThat(served).containsExactly(2, 0, 1);
        assertThat(fleet.since(released)).isLessThan(fleet.moment());
        fleet.assertNothingLeft();
    }

    @Test
    void withoutCohortsSeveralWaitersOfAProcessKeepTheirPlacesAmongTheOthers() throws Exception {
        List<LockTemplate> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(fleet.start(builder -> builder.recheck(LONG_RECHECK).cohortLimit(0)));
        }
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Future<?>> waiters = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            int place = i;
            LockTemplate process = processes.get(i / 2 % 3);
            waiters.add(waits(fleet.begin(() -> process.execute(X, lease -> served.add(place))), place + 1));
        }
        held.close();
        for (Future<?> waiter : waiters) {
            fleet.get(waiter);
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        fleet.assertNothingLeft();
    }

    @Test
    void newcomersTryDoesNotPassAWaiter() throws Exception {
        LockTemplate process = startProcess();
        LockTemplate newcomer = startProcess();
        Future<Lease> waiter = waits(fleet.begin(() -> process.acquire(X)), 1);
        assertThat(newcomer.tryAcquire(X)).as("it is held").isEmpty();
        // free, and the waiter does not know
        fleet.delete(LOCK);
        long freed = fleet.nanoTime();
        assertThat(newcomer.tryAcquire(X)).as("it is free, and awaited").isEmpty();
        Lease next = fleet.get(waiter);
        assertThat(fleet.since(freed)).as("the try handed it on").isLessThan(fleet.moment());
        assertThat(newcomer.tryAcquire(X)).as("it is held again").isEmpty();
        assertThat(held.release()).isFalse();
        assertThat(next.release()).isTrue();
        assertThat(newcomer.tryAcquire(X).orElseThrow().release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void newcomerThatWaitsDoesNotPassAWaiter() throws Exception {
        LockTemplate process = startProcess();
        LockTemplate newcomer = startProcess();
        Future<Lease> waiter = waits(fleet.begin(() -> process.acquire(X)), 1);
        fleet.delete(LOCK);
        Future<Lease> later = fleet.begin(() -> newcomer.acquire(X));
        Lease next = fleet.get(waiter);
        fleet.awaitWaiting(LOCK, 1);
        assertThat(later.isDone()).isFalse();
        next.close();
        assertThat(fleet.get(later).fencingToken()).isGreaterThan(next.fencingToken());
        fleet.get(later).close();
        assertThat(held.release()).isFalse();
        fleet.assertNothingLeft();
    }

    @Test
    void waiterThatGaveUpIsPassedOver() throws Exception {
        LockTemplate hasty = startProcess();
        LockTemplate patient = startProcess();
        Future<Lease> first = waits(fleet.begin(() -> hasty.acquire(X.waitTime(Duration.ofMillis(500)))), 1);
        Future<Long> second = waits(fleet.begin(() -> patient.execute(X, lease -> fleet.nanoTime())), 2);
        assertThatThrownBy(() -> fleet.get(first)).isInstanceOf(LockTimeoutException.class);
        fleet.awaitWaiting(LOCK, 1);
        long released = fleet.nanoTime();
        held.close();
        assertThat(Duration.ofNanos(fleet.get(second) - released)).isLessThan(fleet.moment());
        fleet.assertNothingLeft();
    }

    @Test
    void interruptedWaiterIsPassedOver() throws Exception {
        LockTemplate interrupted = startProcess();
        LockTemplate patient = startProcess();
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<Lease> first = waits(
                fleet.begin(() -> {
                    thread.complete(Thread.currentThread());
                    return interrupted.acquire(X.waitUnbounded());
                }),
                1);
        Future<Long> second = waits(fleet.begin(() -> patient.execute(X, lease -> fleet.nanoTime())), 2);
        fleet.get(thread).interrupt();
        assertThatThrownBy(() -> fleet.get(first)).isInstanceOf(LockInterruptedException.class);
        fleet.awaitWaiting(LOCK, 1);
        long released = fleet.nanoTime();
        held.close();
        assertThat(Duration.ofNanos(fleet.get(second) - released)).isLessThan(fleet.moment());
        fleet.assertNothingLeft();
    }

    /** Each of six keeps it for less than the stall time, all of them together for more. Without a queue any could be next. */
    @Test
    void changingHolderDoesNotFailTheWait() throws Exception {
        List<Future<Lease>> holders = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            // each of a process of its own: a cohort would let the waiter in between
            LockTemplate process = startProcess();
            holders.add(waits(fleet.begin(() -> process.acquire(X.waitUnbounded())), i + 1));
        }
        LockTemplate other = startProcess();
        Future<Duration> waiter = waits(
                fleet.begin(() ->
                        other.execute(X.waitUnbounded().stallTime(Duration.ofSeconds(2)), Lease::waited)),
                7);
        held.close();
        for (Future<Lease> next : holders) {
            Lease lease = fleet.get(next);
            fleet.pass(Duration.ofMillis(700));
            lease.close();
        }
        assertThat(fleet.get(waiter)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(15));
        fleet.assertNothingLeft();
    }
}
