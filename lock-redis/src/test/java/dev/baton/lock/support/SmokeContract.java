package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.DocumentedCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What has to hold on every Redis that we name as supported, in a few steps: take, refuse, hand over, renew, lose. */
abstract class SmokeContract {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final String QUEUE = "lock:queue:{x.global}";

    private RedisView redis;
    private Processes processes;
    private LockTemplate one;
    private LockTemplate other;

    abstract RedisView redis();

    @BeforeEach
    void startProcesses() {
        redis = redis();
        redis.command("FLUSHALL");
        Backend.allow(redis, DocumentedCommands.needed());
        processes = new Processes(redis.host(), redis.port());
        one = processes.start();
        other = processes.start();
    }

    @AfterEach
    void endProcesses() throws Exception {
        processes.close();
    }

    @Test
    void lockIsTakenAndGivenBack() {
        try (Lease lease = one.acquire(LockRequest.of("x"))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(redis.lastingKeys()).containsExactly("lock:fence", LOCK);
        }
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void otherProcessIsRefusedWhileItIsHeld() {
        try (Lease lease = one.acquire(LockRequest.of("x"))) {
            assertThat(other.tryAcquire(LockRequest.of("x"))).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(other.tryAcquire(LockRequest.of("x")).orElseThrow().release())
                .isTrue();
    }

    @Test
    void releaseHandsTheLockToTheWaiterOfAnotherProcess() throws Exception {
        Lease lease = one.acquire(LockRequest.of("x"));
        CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(
                () -> other.acquire(LockRequest.of("x").waitUnbounded()));
        await().until(() -> redis.keys().contains(QUEUE));
        redis.resetStats();
        lease.close();
        Lease next = waiter.get(10, TimeUnit.SECONDS);
        assertThat(redis.commandStats()).as("told, not polled").containsEntry("publish", 1L);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        next.close();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void leaseIsRenewedWhileItIsHeld() {
        LockRequest request = LockRequest.of("x").expire(Duration.ofSeconds(60));
        try (Lease lease = one.acquire(request)) {
            redis.command("PEXPIRE", LOCK, "20000");
            assertThat(lease.renew()).isTrue();
            assertThat(redis.ttl(LOCK)).isGreaterThan(50_000);
        }
    }

    @Test
    void holderLearnsThatItsLockIsGone() {
        Lease lease = one.acquire(LockRequest.of("x"));
        redis.command("DEL", LOCK);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
    }
}
