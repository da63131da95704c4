package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnLost;
import dev.baton.lock.WaitTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks without a thread that waits. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("jdk")
class AsyncTests extends OnBackend {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final String QUEUE = "lock:queue:{x.global}";

    private LockTemplate template;

    AsyncTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        template = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
    }

    @Test
    void callsExcludeEachOtherAlsoThoseOfOneThread() throws Exception {
        Lease first = get(template.acquireAsync(LockRequest.of("x")));
        CompletableFuture<Lease> second =
                template.acquireAsync(LockRequest.of("x")).toCompletableFuture();
        awaitQueued(1);
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
        CompletionStage<String> result = template.executeAsync(LockRequest.of("x"), lease -> work);
        await().until(() -> redis.keys().contains(LOCK));
        assertThat(template.tryAcquire(LockRequest.of("x"))).isEmpty();
        work.complete("done");
        assertThat(get(result)).isEqualTo("done");
        template.acquire(LockRequest.of("x").waitTime(Duration.ZERO)).close();
    }

    @Test
    void failureOfTheWorkReleasesAndIsPassedOn() throws Exception {
        CompletionStage<String> failed = template.executeAsync(
                LockRequest.of("x"), lease -> CompletableFuture.failedFuture(new IllegalStateException("broken")));
        CompletionStage<String> thrown = template.executeAsync(LockRequest.of("x"), lease -> {
            throw new java.io.IOException("not even begun");
        });
        assertThatThrownBy(() -> get(failed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        assertThatThrownBy(() -> get(thrown)).isInstanceOf(java.io.IOException.class);
        await().until(() -> !redis.keys().contains(LOCK));
    }

    @Test
    void cancelledWaiterLeavesTheQueueAndTheNextIsServed() throws Exception {
        Lease holder = template.acquire(LockRequest.of("x"));
        CompletableFuture<Lease> first =
                template.acquireAsync(LockRequest.of("x")).toCompletableFuture();
        awaitQueued(1);
        CompletableFuture<Lease> second =
                template.acquireAsync(LockRequest.of("x")).toCompletableFuture();
        awaitQueued(2);
        first.cancel(true);
        awaitQueued(1);
        holder.close();
        get(second).close();
        assertNothingLeft();
    }

    @Test
    void waiterWhoseFutureTimesOutLeavesTheQueueAndDoesNoWork() throws Exception {
        Lease holder = template.acquire(LockRequest.of("x"));
        LockRequest request = LockRequest.of("x").waitUnbounded();
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<Lease> lease = template.acquireAsync(request).toCompletableFuture();
        CompletableFuture<Integer> work = template.executeAsync(
                        request, held -> CompletableFuture.completedFuture(begun.incrementAndGet()))
                .toCompletableFuture();
        awaitQueued(2);
        lease.orTimeout(10, TimeUnit.MILLISECONDS);
        work.completeExceptionally(new IllegalStateException("not wanted any more"));

        await().untilAsserted(() -> assertThat(EngineCounters.waiters(template)).isZero());
        assertThatThrownBy(() -> get(lease)).isInstanceOf(TimeoutException.class);
        holder.close();
        template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(2))).close();
        assertThat(begun).hasValue(0);
        assertNothingLeft();
    }

    @Test
    void waiterWhoseFutureIsCompletedByTheCallerLeavesTheQueue() {
        Lease holder = template.acquire(LockRequest.of("x"));
        CompletableFuture<Lease> lease =
                template.acquireAsync(LockRequest.of("x").waitUnbounded()).toCompletableFuture();
        awaitQueued(1);
        lease.complete(holder);
        await().untilAsserted(() -> assertThat(EngineCounters.waiters(template)).isZero());
        holder.close();
        assertNothingLeft();
    }

    @Test
    void cancelledWorkReleasesAtOnce() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result =
                template.executeAsync(LockRequest.of("x"), lease -> work).toCompletableFuture();
        await().until(() -> redis.keys().contains(LOCK));
        result.cancel(true);
        assertThat(work).isCancelled();
        template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(2))).close();
        assertNothingLeft();
    }

    @Test
    void cancelAgainstGrantNeverKeepsTheLock() throws Exception {
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Lease> lease =
                    template.acquireAsync(LockRequest.of("x")).toCompletableFuture();
            if (i % 3 > 0) {
                Thread.onSpinWait();
            }
            if (!lease.cancel(true)) {
                lease.join().releaseAsync();
            }
        }
        template.acquire(LockRequest.of("x").waitTime(Duration.ofSeconds(5))).close();
        assertNothingLeft();
    }

    @Test
    void waitTimeIsABound() {
        Lease holder = template.acquire(LockRequest.of("x"));
        long start = System.nanoTime();
        assertThatThrownBy(() -> get(template.acquireAsync(LockRequest.of("x").waitTime(Duration.ofSeconds(1)))))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("x.global");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_500));
        holder.close();
        assertNothingLeft();
    }

    @Test
    void lostLeaseFailsTheResultAndCarriesIt() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletionStage<String> result = template.executeAsync(LockRequest.of("x"), lease -> work);
        await().until(() -> redis.keys().contains(LOCK));
        redis.command("DEL", LOCK);
        work.complete("late");
        assertThatThrownBy(() -> get(result))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        ex -> assertThat(ex.getResult()).isEqualTo("late"));
    }

    @Test
    void chosenOwnerReentersAcrossCalls() throws Exception {
        LockRequest request = LockRequest.of("x").owner("connection-7");
        Lease outer = get(template.acquireAsync(request));
        Lease inner = get(template.acquireAsync(request.expire(Duration.ofSeconds(90))));
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(60));
        assertThatThrownBy(() -> get(template.acquireAsync(request.reentrant(false))))
                .isInstanceOf(LockDeadlockException.class);
        assertThat(get(outer.releaseAsync())).isTrue();
        assertThat(inner.isHeld()).isTrue();
        assertThat(get(inner.releaseAsync())).isTrue();
        assertNothingLeft();
    }

    @Test
    void cancelledWaiterOfAChosenOwnerIsForgotten() throws Exception {
        LockRequest request = LockRequest.of("x").owner("connection-7");
        Lease holder = template.acquire(LockRequest.of("x"));
        CompletableFuture<Lease> waiter = template.acquireAsync(request).toCompletableFuture();
        awaitQueued(1);
        waiter.cancel(true);
        await().untilAsserted(
                        () -> assertThat(EngineCounters.sharedOwners(template)).isZero());
        holder.close();
        assertNothingLeft();
    }

    @Test
    void triesOfOneOwnerThatAskTogetherAreAllLetIn() throws Exception {
        LockRequest request = LockRequest.of("x").owner("connection-7").waitTime(WaitTime.none());
        for (int round = 0; round < 50; round++) {
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                asked.add(template.acquireAsync(request).toCompletableFuture());
            }
            List<Lease> leases = new ArrayList<>();
            for (CompletableFuture<Lease> lease : asked) {
                leases.add(get(lease));
            }
            for (Lease lease : leases) {
                assertThat(lease.release()).isTrue();
            }
            // a try whose owner was let in meanwhile may be carried out, and ended, after that: not without an order of
            // commands
            await().pollInterval(Duration.ofMillis(1)).until(() -> EngineCounters.openRequests(template) == 0);
        }
        assertNothingLeft();
    }

    @Test
    void interruptWithoutAThreadToInterruptFailsTheStage() {
        CompletionStage<Lease> refused =
                template.acquireAsync(LockRequest.of("x").onLost(OnLost.INTERRUPT));
        assertThatThrownBy(() -> get(refused)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyCallsNeedFewThreads() throws Exception {
        long before = ownThreads();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            results.add(template.executeAsync(LockRequest.of("x").waitUnbounded(), lease -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        return CompletableFuture.supplyAsync(inside::decrementAndGet);
                    })
                    .toCompletableFuture());
        }
        long during = ownThreads();
        for (CompletableFuture<Integer> result : results) {
            assertThat(result.get(30, TimeUnit.SECONDS)).isZero();
        }
        assertThat(most).hasValue(1);
        // over Jedis each command under way has one, up to eight
        assertThat(during - before).isLessThan(20);
        assertNothingLeft();
    }

    /** Those that the library has made; how many a pool of the JDK or of the client has does not depend on it. */
    private static long ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("baton-"))
                .count();
    }

    private void awaitQueued(long count) {
        processes.awaitWaiting(redis, QUEUE, count);
    }

    private void assertNothingLeft() {
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> {
            assertThat(redis.lastingKeys()).containsExactly("lock:fence");
            assertThat(EngineCounters.openRequests(template)).isZero();
        });
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (ExecutionException ex) {
            throw ex.getCause() instanceof Exception cause ? cause : ex;
        }
    }
}
