package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.WaitTime;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks without a thread that waits. */
public abstract class AsyncScenarios extends Scenarios {

    protected static final LockRequest X = LockRequest.of("x");
    protected static final String LOCK = "x.global";
    private static final Duration SOON = Duration.ofSeconds(10);

    protected LockTemplate template;

    @BeforeEach
    void start() {
        template = fleet.start(builder -> builder.recheck(Duration.ofSeconds(20)));
    }

    @Test
    void callsExcludeEachOtherAlsoThoseOfOneThread() throws Exception {
        Lease first = get(template.acquireAsync(X));
        CompletableFuture<Lease> second = template.acquireAsync(X).toCompletableFuture();
        fleet.awaitWaiting(LOCK, 1);
        assertThat(second).isNotDone();
        assertThat(get(first.releaseAsync())).isTrue();
        try (Lease lease = get(second)) {
            assertThat(lease.fencingToken()).isGreaterThan(first.fencingToken());
            assertThat(lease.contended()).isTrue();
            assertThat(lease.owner()).isNotEqualTo(first.owner());
        }
    }

    @Test
    void lockIsHeldUntilTheStageCompletes() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletionStage<String> result = template.executeAsync(X, lease -> work);
        fleet.until(SOON, () -> fleet.isHeld(LOCK));
        assertThat(template.tryAcquire(X)).isEmpty();
        work.complete("done");
        assertThat(get(result)).isEqualTo("done");
        template.acquire(X.waitTime(Duration.ZERO)).close();
    }

    @Test
    void failureOfTheWorkReleasesAndIsPassedOn() {
        CompletionStage<String> failed = template.executeAsync(
                X, lease -> CompletableFuture.failedFuture(new IllegalStateException("broken")));
        CompletionStage<String> thrown = template.executeAsync(X, lease -> {
            throw new IOException("not even begun");
        });
        assertThatThrownBy(() -> get(failed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertThatThrownBy(() -> get(thrown)).isInstanceOf(IOException.class);
        fleet.until(SOON, () -> !fleet.isHeld(LOCK));
    }

    @Test
    void cancelledWaiterLeavesTheQueueAndTheNextIsServed() throws Exception {
        Lease holder = template.acquire(X);
        CompletableFuture<Lease> first = template.acquireAsync(X).toCompletableFuture();
        fleet.awaitWaiting(LOCK, 1);
        CompletionStage<Lease> second = template.acquireAsync(X);
        fleet.awaitWaiting(LOCK, 2);
        first.cancel(true);
        fleet.awaitWaiting(LOCK, 1);
        holder.close();
        get(second).close();
        fleet.assertNothingLeft();
    }

    @Test
    void waiterWhoseFutureTimesOutLeavesTheQueueAndDoesNoWork() throws Exception {
        Lease holder = template.acquire(X);
        LockRequest request = X.waitUnbounded();
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<Lease> lease = template.acquireAsync(request).toCompletableFuture();
        CompletableFuture<Integer> work = template.executeAsync(
                        request, held -> CompletableFuture.completedFuture(begun.incrementAndGet()))
                .toCompletableFuture();
        fleet.awaitWaiting(LOCK, 2);
        // what orTimeout does, by the clock of the machine
        lease.completeExceptionally(new TimeoutException());
        work.completeExceptionally(new IllegalStateException("not wanted any more"));

        fleet.until(SOON, () -> EngineCounters.waiters(template) == 0);
        assertThatThrownBy(() -> get(lease)).isInstanceOf(TimeoutException.class);
        holder.close();
        fleet.call(() -> template.acquire(X.waitTime(Duration.ofSeconds(2)))).close();
        assertThat(begun).hasValue(0);
        fleet.assertNothingLeft();
    }

    @Test
    void waiterWhoseFutureIsCompletedByTheCallerLeavesTheQueue() {
        Lease holder = template.acquire(X);
        CompletableFuture<Lease> lease =
                template.acquireAsync(X.waitUnbounded()).toCompletableFuture();
        fleet.awaitWaiting(LOCK, 1);
        lease.complete(holder);
        fleet.until(SOON, () -> EngineCounters.waiters(template) == 0);
        holder.close();
        fleet.assertNothingLeft();
    }

    @Test
    void cancelledWorkReleasesAtOnce() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Lease> begun = new CompletableFuture<>();
        CompletableFuture<String> result = template.executeAsync(X, lease -> {
                    begun.complete(lease);
                    return work;
                })
                .toCompletableFuture();
        fleet.get(begun);
        assertThat(fleet.isHeld(LOCK)).isTrue();
        result.cancel(true);
        // at the latest when the callback that began the work returns
        fleet.until(SOON, work::isCancelled);
        fleet.call(() -> template.acquire(X.waitTime(Duration.ofSeconds(2)))).close();
        fleet.assertNothingLeft();
    }

    @Test
    void cancelAgainstGrantNeverKeepsTheLock() throws Exception {
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Lease> lease = template.acquireAsync(X).toCompletableFuture();
            if (i % 3 > 0) {
                Thread.onSpinWait();
            }
            if (!lease.cancel(true)) {
                lease.join().releaseAsync();
            }
        }
        fleet.call(() -> template.acquire(X.waitTime(Duration.ofSeconds(5)))).close();
        fleet.assertNothingLeft();
    }

    @Test
    void waitTimeIsABound() {
        Lease holder = template.acquire(X);
        long start = fleet.nanoTime();
        assertThatThrownBy(() -> get(template.acquireAsync(X.waitTime(Duration.ofSeconds(1)))))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining(LOCK);
        assertThat(fleet.since(start)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_500));
        holder.close();
        fleet.assertNothingLeft();
    }

    @Test
    void lostLeaseFailsTheResultAndCarriesIt() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletionStage<String> result = template.executeAsync(X, lease -> work);
        fleet.until(SOON, () -> fleet.isHeld(LOCK));
        fleet.delete(LOCK);
        work.complete("late");
        assertThatThrownBy(() -> get(result))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        ex -> assertThat(ex.result()).isEqualTo("late"));
    }

    @Test
    void chosenOwnerReentersAcrossCalls() throws Exception {
        LockRequest request = X.owner("connection-7");
        Lease outer = get(template.acquireAsync(request));
        Lease inner = get(template.acquireAsync(request.expire(Duration.ofSeconds(90))));
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(60));
        assertThatThrownBy(() -> get(template.acquireAsync(request.reentrant(false))))
                .isInstanceOf(LockDeadlockException.class);
        assertThat(get(outer.releaseAsync())).isTrue();
        assertThat(inner.isHeld()).isTrue();
        assertThat(get(inner.releaseAsync())).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void cancelledWaiterOfAChosenOwnerIsForgotten() {
        Lease holder = template.acquire(X);
        CompletableFuture<Lease> waiter =
                template.acquireAsync(X.owner("connection-7")).toCompletableFuture();
        fleet.awaitWaiting(LOCK, 1);
        waiter.cancel(true);
        fleet.until(SOON, () -> EngineCounters.sharedOwners(template) == 0);
        holder.close();
        fleet.assertNothingLeft();
    }

    @Test
    void triesOfOneOwnerThatAskTogetherAreAllLetIn() throws Exception {
        LockRequest request = X.owner("connection-7").waitTime(WaitTime.none());
        for (int round = 0; round < 50; round++) {
            List<CompletionStage<Lease>> asked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                asked.add(template.acquireAsync(request));
            }
            List<Lease> leases = new ArrayList<>();
            for (CompletionStage<Lease> lease : asked) {
                leases.add(get(lease));
            }
            for (Lease lease : leases) {
                assertThat(lease.release()).isTrue();
            }
            // a try whose owner was let in meanwhile may be carried out, and ended, after that: not without an order of
            // commands
            fleet.until(SOON, () -> EngineCounters.openRequests(template) == 0);
        }
        fleet.assertNothingLeft();
    }

    @Test
    void interruptWithoutAThreadToInterruptFailsTheStage() {
        CompletionStage<Lease> refused = template.acquireAsync(X.onLost(OnLost.INTERRUPT));
        assertThatThrownBy(() -> get(refused)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyCallsNeedFewThreads() throws Exception {
        long before = ownThreads();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletionStage<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            results.add(template.executeAsync(X.waitUnbounded(), lease -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                return fleet.begin(inside::decrementAndGet);
            }));
        }
        long during = ownThreads();
        for (CompletionStage<Integer> result : results) {
            assertThat(get(result)).isZero();
        }
        assertThat(most).hasValue(1);
        // over Jedis each command under way has one, up to eight
        assertThat(during - before).isLessThan(20);
        fleet.assertNothingLeft();
    }

    /** Those that the library has made; how many a pool of the JDK or of the client has does not depend on it. */
    private static long ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("baton-"))
                .count();
    }

    protected <T> T get(CompletionStage<T> stage) throws Exception {
        return fleet.get(stage.toCompletableFuture());
    }
}
