package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting by asking again and again. */
@ParameterizedClass
@EnumSource
class PollingTests {

    private static final String QUEUE = "lock:queue:{x.global}";
    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(30));

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private final Processes polling;
    private final Processes queued;

    PollingTests(Client client) {
        polling = new Setup(WaitStrategy.POLLING, LockHandler.SCRIPT, client, 0).on(redis);
        queued = new Processes(redis, new Backend(client, 0));
    }

    @AfterEach
    void stop() throws Exception {
        polling.close();
        queued.close();
        redis.close();
    }

    /** A recheck of 40 s shows that it asks by its own interval. */
    private LockTemplate startPolling() {
        return polling.startDeaf(builder -> builder.recheck(Duration.ofSeconds(40)))
                .template();
    }

    @Test
    void pollingWaiterSubscribesToNothingAndJoinsNoQueue() throws Exception {
        LockTemplate one = startPolling();
        LockTemplate other = startPolling();
        Lease held = one.acquire(X);
        CompletableFuture<Lease> waiter = waits(other);
        await().until(() -> other.engine().awaitedNames() == 1);
        assertThat(redis.command("CLIENT", "LIST", "TYPE", "pubsub").toString()).isBlank();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence", "lock:lock:{x.global}");
        held.release();
        assertThat(waiter.get(3, TimeUnit.SECONDS).release()).isTrue();
        PipelinedMode.assertReleased(() -> assertThat(redis.lastingKeys()).containsExactly("lock:fence"));
    }

    @Test
    void queuedWaiterComesFirst() throws Exception {
        LockTemplate one = startPolling();
        LockTemplate grant = queued.start();
        Lease held = one.acquire(X);
        CompletableFuture<Lease> polls = waits(startPolling());
        CompletableFuture<Lease> stands = waits(grant);
        await().until(() -> redis.keys().contains(QUEUE));
        held.release();
        Lease first = stands.get(3, TimeUnit.SECONDS);
        await().during(Duration.ofMillis(200)).until(() -> !polls.isDone());
        first.release();
        assertThat(polls.get(3, TimeUnit.SECONDS).fencingToken()).isGreaterThan(first.fencingToken());
    }

    @Test
    void leaseIsCountedFromTheQuestionThatFoundTheLockFree() throws Exception {
        LockTemplate one = startPolling();
        LockTemplate other = startPolling();
        Lease held = one.acquire(X);
        CompletableFuture<Lease> waiter = waits(other);
        await().during(Duration.ofMillis(1_500)).until(() -> !waiter.isDone());
        long released = System.nanoTime();
        held.release();
        Lease lease = waiter.get(3, TimeUnit.SECONDS);
        assertThat(lease.remaining().plusNanos(System.nanoTime() - released))
                .as("nothing of it has gone by waiting")
                .isGreaterThan(Duration.ofSeconds(29));
        assertThat(lease.contended()).isTrue();
    }

    private static CompletableFuture<Lease> waits(LockTemplate process) {
        return CompletableFuture.supplyAsync(
                () -> process.acquire(X.waitTime(Duration.ofSeconds(20))), task -> new Thread(task).start());
    }
}
