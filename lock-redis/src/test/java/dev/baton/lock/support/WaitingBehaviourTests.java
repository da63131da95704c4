package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLimitException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways to wait: up to a stall time, uninterruptibly, with a recheck of one's own, and how many may. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class WaitingBehaviourTests extends OnBackend {

    private static final LockRequest X = LockRequest.of("x");
    private static final String QUEUE = "lock:queue:{x.global}";
    private static final String WAIT = "lock:wait:{x.global}";

    private LockTemplate one;
    private LockTemplate other;

    WaitingBehaviourTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        // a recheck that is no help to anybody here
        one = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        other = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
    }

    @Test
    void stuckHolderFailsEveryKindOfWaitAtTheStallTime() {
        LockRequest stalls = X.waitUnbounded().stallTime(Duration.ofMillis(1_500));
        try (Lease lease = one.acquire(X)) {
            long start = System.nanoTime();
            LockTimeoutException ex =
                    catchThrowableOfType(LockTimeoutException.class, () -> other.execute(stalls, Lease::isHeld));
            assertThat(ex.isStuck()).isTrue();
            assertThat(ex.getHolder()).get().returns(lease.fencingToken(), holder -> holder.fencingToken());
            assertThat(ex)
                    .hasMessageContaining("held by the same holder for")
                    .hasMessageContaining(Thread.currentThread().getName());
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("long before the next recheck")
                    .isBetween(Duration.ofMillis(1_500), Duration.ofSeconds(5));

            LockTimeoutException bounded = catchThrowableOfType(
                    LockTimeoutException.class, () -> other.acquire(stalls.waitTime(Duration.ofSeconds(20))));
            assertThat(bounded.isStuck()).isTrue();
            LockTimeoutException sooner = catchThrowableOfType(
                    LockTimeoutException.class, () -> other.acquire(stalls.waitTime(Duration.ofMillis(800))));
            assertThat(sooner.isStuck()).isFalse();
            assertThat(other.tryAcquire(stalls)).isEmpty();
            assertThat(other.tryExecute(stalls, held -> "done")).isInstanceOf(LockResult.Busy.class);
        }
        assertNothingWaits();
    }

    /** Each of six keeps it for less than the stall time, all of them together for more. */
    @Test
    void changingHolderDoesNotFailTheWait() throws Exception {
        Lease first = one.acquire(X);
        for (int i = 0; i < 6; i++) {
            new Thread(() -> one.execute(X.waitUnbounded(), lease -> {
                        pause(700);
                        return lease;
                    }))
                    .start();
        }
        awaitQueued(6);
        CompletableFuture<Duration> waiter = CompletableFuture.supplyAsync(
                () -> other.execute(X.waitUnbounded().stallTime(Duration.ofSeconds(2)), Lease::waited));
        awaitQueued(7);
        first.release();

        assertThat(waiter.get(15, TimeUnit.SECONDS)).isGreaterThan(Duration.ofSeconds(4));
        assertNothingWaits();
    }

    private void awaitQueued(long count) {
        processes.awaitWaiting(redis, QUEUE, count);
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void interruptDoesNotEndAnUninterruptibleWait() throws Exception {
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        try (Lease lease = one.acquire(X)) {
            Thread waiter = new Thread(() -> {
                Thread.currentThread().interrupt();
                try (Lease own = other.acquire(X.waitUnbounded().interruptible(false))) {
                    flag.complete(own.isHeld() && Thread.currentThread().isInterrupted());
                }
            });
            waiter.start();
            Awaitility.await().until(() -> redis.keys().contains(QUEUE));
            waiter.interrupt();
            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(flag).isNotDone();
            assertThat(lease.release()).isTrue();
        }
        assertThat(flag.get(5, TimeUnit.SECONDS)).isTrue();
        assertNothingWaits();
    }

    @Test
    void waiterIsAliveForThreeOfItsOwnRechecks() throws Exception {
        try (Lease lease = one.acquire(X)) {
            CompletableFuture<Lease> calm =
                    CompletableFuture.supplyAsync(() -> other.acquire(X.recheck(Duration.ofSeconds(60))));
            Awaitility.await().until(() -> redis.keys().contains(QUEUE));
            CompletableFuture<Lease> impatient =
                    CompletableFuture.supplyAsync(() -> other.acquire(X.recheck(Duration.ofMillis(100))));
            awaitQueued(2);
            // several rechecks of the impatient one
            TimeUnit.MILLISECONDS.sleep(500);
            List<Long> alive = aliveForMillis();
            assertThat(alive).hasSize(2);
            assertThat(alive.get(0)).as("the calm one").isBetween(170_000L, 180_000L);
            assertThat(alive.get(1)).as("the impatient one").isLessThanOrEqualTo(300L);
            assertThat(lease.release()).isTrue();
            calm.get(5, TimeUnit.SECONDS).release();
            impatient.get(5, TimeUnit.SECONDS).release();
        }
        assertNothingWaits();
    }

    /** By place in the queue, for how long Redis still believes the waiter to be alive. */
    private List<Long> aliveForMillis() {
        List<String> records = ((List<?>) redis.command("ZRANGE", QUEUE, "0", "-1"))
                .stream()
                        .map(id -> String.valueOf(redis.command("HGET", WAIT, String.valueOf(id))))
                        .toList();
        // after the records: whatever lies between makes them older, not younger
        List<?> time = (List<?>) redis.command("TIME");
        long now =
                Long.parseLong(String.valueOf(time.get(0))) * 1000 + Long.parseLong(String.valueOf(time.get(1))) / 1000;
        return records.stream()
                .map(record -> record.replaceAll(".*\"alive\":\"(\\d+)\".*", "$1"))
                .map(alive -> Long.parseLong(alive) / 1000 - now)
                .toList();
    }

    @Test
    void requestWithAShortRecheckNoticesADeletedKeySooner() throws Exception {
        Lease lease = one.acquire(X.expire(Duration.ofSeconds(25)));
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
                () -> other.execute(X.waitTime(Duration.ofSeconds(20)).recheck(Duration.ofMillis(100)), Lease::isHeld));
        Awaitility.await().until(() -> redis.keys().contains(QUEUE));
        redis.command("DEL", "lock:lock:{x.global}");

        assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(lease.release()).isFalse();
    }

    @Test
    void oneWaiterTooManyIsRefusedAtOnce() throws Exception {
        LockTemplate small = processes.start(builder -> builder.maxWaiters(1));
        try (Lease lease = one.acquire(X)) {
            CompletableFuture<Boolean> waiter =
                    CompletableFuture.supplyAsync(() -> small.execute(X.waitUnbounded(), Lease::isHeld));
            Awaitility.await().until(() -> redis.keys().contains(QUEUE));
            assertThatThrownBy(() -> small.acquire(X))
                    .isInstanceOf(LockLimitException.class)
                    .hasMessageContaining("1 requests of this process are already waiting for locks");
            assertThat(small.tryAcquire(X)).as("a try does not wait").isEmpty();
            assertThat(lease.release()).isTrue();
            assertThat(waiter.get(5, TimeUnit.SECONDS)).isTrue();
            assertThat(small.execute(X, Lease::isHeld)).isTrue();
        }
    }

    private void assertNothingWaits() {
        Awaitility.await().untilAsserted(() -> {
            assertThat(redis.keys()).doesNotContain(QUEUE, WAIT);
            assertThat(other.engine().openRequests()).isZero();
            assertThat(other.engine().awaitedNames()).isZero();
            assertThat(other.engine().waiters()).isZero();
        });
    }
}
