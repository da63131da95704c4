package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Grants that count only a longest lease after the primary was replaced or restarted. */
@ParameterizedClass
@EnumSource(Client.class)
@Tag("once")
class FailoverPauseTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final LockRequest X = LockRequest.of("x");
    private static final LockRequest WAITING = X.waitTime(Duration.ofSeconds(20));

    private final Backend backend;
    private TestRedis redis;
    private TcpProxy front;
    private Processes processes;

    FailoverPauseTests(Client client) {
        this.backend = new Backend(client, 0);
    }

    @BeforeEach
    void start() {
        redis = backend.startOpenRedis("repl-diskless-sync yes", "repl-diskless-sync-delay 0");
        front = TcpProxy.to(redis);
        processes = new Processes(
                () -> backend.connect(front.host(), front.port()),
                store -> store.longestExpire(LONGEST).pauseAfterFailover(true));
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        front.close();
        redis.close();
    }

    private LockTemplate process() {
        return processes.start(builder ->
                builder.expire(LONGEST).recheck(Duration.ofMillis(200)).commandTimeout(Duration.ofMillis(500)));
    }

    private static Duration took(LockTemplate template, LockRequest request) {
        long begun = System.nanoTime();
        template.execute(request, lease -> 1);
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Test
    void grantsCountAfterTheFirstPause() {
        LockTemplate template = process();
        assertThatThrownBy(() -> template.tryAcquire(X))
                .isInstanceOf(LockStoreException.class)
                .hasStackTraceContaining("has a new primary")
                .hasStackTraceContaining("baton.failover");
        assertThat(took(template, WAITING)).isBetween(LONGEST.minusMillis(300), LONGEST.plusSeconds(3));
        assertThat(template.tryExecute(X, Lease::isHeld).isExecuted()).isTrue();
        assertThat(redis.lastingKeys()).containsExactlyInAnyOrder("lock:fence", "lock:primary");
    }

    @Test
    void restartWithoutDataBeginsAPause() {
        LockTemplate template = process();
        took(template, WAITING);
        redis.restart();
        long restarted = System.nanoTime();
        await().ignoreExceptions().until(() -> took(template, WAITING) != null);
        assertThat(Duration.ofNanos(System.nanoTime() - restarted)).isGreaterThanOrEqualTo(LONGEST);
    }

    /** The old primary grants the lock to one process; the new one does not know that, and grants it to another. */
    @Test
    void grantThatTheNewPrimaryDoesNotKnowIsNotMadeAgainWhileItsLeaseLasts() throws Exception {
        LockTemplate one = process();
        LockTemplate other = process();
        took(one, WAITING);
        try (TcpProxy link = TcpProxy.to(redis);
                TestRedis replica = backend.startOpenRedis("replicaof " + link.host() + " " + link.port())) {
            await().until(() ->
                    String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
            link.swallow();
            Lease lease = one.acquire(X);
            assertThat(replica.keys()).doesNotContain(LOCK);
            promote(replica);
            CompletableFuture<Boolean> heldByBoth =
                    CompletableFuture.supplyAsync(() -> other.execute(WAITING, next -> lease.isHeld()));
            assertThat(heldByBoth.get(30, TimeUnit.SECONDS)).isFalse();
            assertThat(lease.isHeld()).isFalse();
        }
    }

    private void promote(TestRedis replica) {
        redis.stop();
        replica.command("REPLICAOF", "NO", "ONE");
        front.retarget(replica);
        front.cut();
    }

    /** The new primary knows the holder, whose release hands the lock over by a message. */
    @Test
    void messageOfAGrantCountsAfterThePause() throws Exception {
        LockTemplate one = process();
        LockTemplate other = process();
        took(one, WAITING);
        try (TestRedis replica = backend.startOpenRedis("replicaof " + redis.host() + " " + redis.port())) {
            await().until(() ->
                    String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
            Lease lease = one.acquire(X);
            await().until(() -> replica.keys().contains(LOCK));
            promote(replica);
            long promoted = System.nanoTime();
            CompletableFuture<Long> waiter =
                    CompletableFuture.supplyAsync(() -> other.execute(WAITING, next -> System.nanoTime()));
            await().until(() -> List.of(1L).contains(replica.command("ZCARD", "lock:queue:{x.global}")));
            await().ignoreExceptions().until(lease::release);
            assertThat(Duration.ofNanos(waiter.get(30, TimeUnit.SECONDS) - promoted))
                    .isBetween(LONGEST.minusMillis(100), LONGEST.plusSeconds(3));
        }
    }

    @Test
    void leaseThatIsLongerThanTheLongestIsRefused() {
        LockTemplate template = process();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.acquire(X.expire(LONGEST.plusMillis(1))))
                .withMessageContaining("x.global")
                .withMessageContaining("baton.longest-expire");
        Lease lease = template.acquire(WAITING);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.renew(LONGEST.plusMillis(1)))
                .withMessageContaining("baton.longest-expire");
        assertThat(lease.renew(LONGEST)).isTrue();
        assertThat(lease.release()).isTrue();
    }

    @Test
    void withoutInfoEveryLockIsRefusedWithTheRight() {
        redis.command("ACL", "SETUSER", Backend.USER, "-info");
        LockTemplate template = process();
        assertThatThrownBy(() -> template.acquire(X.waitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockStoreException.class)
                .hasStackTraceContaining("primary.lua")
                .hasStackTraceContaining("+info");
    }

    @Test
    void replicasCanHaveToAcknowledgeInAddition() throws Exception {
        try (TestRedis replica = backend.startOpenRedis("replicaof " + redis.host() + " " + redis.port());
                Processes both = new Processes(
                        () -> backend.connect(front.host(), front.port()),
                        store -> store.longestExpire(LONGEST)
                                .pauseAfterFailover(true)
                                .replicasToAck(1))) {
            LockTemplate template = both.start(builder -> builder.expire(LONGEST));
            assertThat(took(template, WAITING)).isGreaterThan(LONGEST.minusMillis(300));
            template.execute(X, lease -> assertThat(replica.keys()).contains(LOCK));
        }
    }
}
