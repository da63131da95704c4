package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that poll, in processes whose other requests wait in the queue. A recheck of 40 s helps no waiter. */
@ParameterizedClass
@EnumSource
class PollingOnRequestTests {

    private static final String QUEUE = "lock:queue:{x.global}";
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final LockRequest X =
            LockRequest.of("x").expire(Duration.ofSeconds(30)).waitTime(Duration.ofSeconds(20));
    private static final LockRequest POLLS =
            X.waitStrategy(WaitStrategy.POLLING).pollingInterval(INTERVAL);

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private final Processes processes;

    PollingOnRequestTests(Client client) {
        processes = new Processes(redis, new Backend(client, 0));
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        redis.close();
    }

    private LockTemplate start() {
        return processes.start(builder -> builder.recheck(Duration.ofSeconds(40)));
    }

    @Test
    void freeLockIsFoundWithinTheIntervalAndNoKeyIsLeft() throws Exception {
        LockTemplate one = start();
        LockTemplate other = start();
        Lease held = one.acquire(X);
        CompletableFuture<Lease> polls = acquires(other, POLLS);
        processes.awaitWaiting(1);
        await().during(INTERVAL.multipliedBy(2))
                .until(() -> !polls.isDone() && !redis.keys().contains(QUEUE));
        assertThat(redis.lastingKeys()).containsExactly("lock:fence", "lock:lock:{x.global}");

        long released = System.nanoTime();
        assertThat(held.release()).isTrue();
        Lease granted = polls.get(10, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(System.nanoTime() - released))
                .as("an interval, and what the machine may take")
                .isLessThan(INTERVAL.plusSeconds(2));
        assertThat(granted.fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(granted.attempts()).isGreaterThan(2);
        assertThat(granted.release()).isTrue();
        PipelinedMode.assertReleased(() -> assertThat(redis.lastingKeys()).containsExactly("lock:fence"));
        // the answer to the release lets the caller go on first
        await().untilAsserted(() -> assertThat(other.engine().openRequests()).isZero());
    }

    @Test
    void queuedWaiterComesFirst() throws Exception {
        LockTemplate one = start();
        LockTemplate other = start();
        Lease held = one.acquire(X);
        CompletableFuture<Lease> polls = acquires(other, POLLS);
        processes.awaitWaiting(1);
        CompletableFuture<Lease> stands = acquires(other, X);
        await().until(() -> redis.keys().contains(QUEUE));
        assertThat(redis.command("ZCARD", QUEUE))
                .as("the request of the same process that polls")
                .isEqualTo(1L);
        held.release();
        Lease first = stands.get(10, TimeUnit.SECONDS);
        await().during(INTERVAL.multipliedBy(2)).until(() -> !polls.isDone());
        first.release();
        assertThat(polls.get(10, TimeUnit.SECONDS).fencingToken()).isGreaterThan(first.fencingToken());
    }

    @Test
    void requestThatGivesUpLeavesNothing() throws Exception {
        LockTemplate one = start();
        LockTemplate other = start();
        try (Lease held = one.acquire(X)) {
            CompletableFuture<Lease> polls = acquires(other, POLLS.waitTime(Duration.ofMillis(500)));
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> polls.get(10, TimeUnit.SECONDS))
                    .withCauseInstanceOf(LockTimeoutException.class);
            await().until(() -> other.engine().openRequests() == 0);
            held.verify();
            assertThat(redis.lastingKeys()).containsExactly("lock:fence", "lock:lock:{x.global}");
        }
    }

    @Test
    void severalLocksArePolledTogetherAndNoneIsKept() throws Exception {
        LockTemplate one = start();
        LockTemplate other = start();
        LockRequest both = POLLS.and(LockRequest.of("y"));
        Lease held = one.acquire(X);
        CompletableFuture<Lease> polls = acquires(other, both);
        processes.awaitWaiting(1);
        await().during(INTERVAL.multipliedBy(2)).until(() -> !polls.isDone());
        assertThat(one.tryAcquire(LockRequest.of("y")))
                .as("the other lock stays free for others")
                .hasValueSatisfying(Lease::close);
        assertThat(redis.keys()).noneMatch(key -> key.startsWith("lock:queue:"));
        held.release();
        assertThat(polls.get(10, TimeUnit.SECONDS).release()).isTrue();
    }

    private static CompletableFuture<Lease> acquires(LockTemplate process, LockRequest request) {
        return CompletableFuture.supplyAsync(() -> process.acquire(request), task -> new Thread(task).start());
    }
}
