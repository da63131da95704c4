package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Grants and renewals that count only when a replica has them. A paused replica acknowledges nothing. */
@ParameterizedClass
@EnumSource(Client.class)
class ReplicaAcknowledgementTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");

    private final Backend backend;
    private TestRedis primary;
    private TestRedis replica;
    private Processes processes;

    ReplicaAcknowledgementTests(Client client) {
        this.backend = new Backend(client, 0);
    }

    @BeforeEach
    void start() {
        primary = backend.startOpenRedis("repl-diskless-sync yes", "repl-diskless-sync-delay 0");
        replica = backend.startOpenRedis("replicaof " + primary.host() + " " + primary.port());
        await().until(() ->
                String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
        processes =
                new Processes(() -> backend.connect(primary.host(), primary.port()), store -> store.replicasToAck(1));
    }

    @AfterEach
    void stop() throws Exception {
        replica.resume();
        processes.close();
        replica.close();
        primary.close();
    }

    @Test
    void replicaHasEachGrantThatCounts() throws Exception {
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        for (int i = 0; i < 30; i++) {
            try (Lease lease = one.acquire(X)) {
                assertThat(replica.keys()).contains(LOCK);
                CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
                        () -> other.execute(X, next -> replica.keys().contains(LOCK)));
                processes.awaitWaiting(1);
                assertThat(lease.release()).isTrue();
                assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void grantThatNoReplicaHasDoesNotCount() {
        LockTemplate template = processes.start(builder -> builder.commandTimeout(Duration.ofMillis(300)));
        template.execute(X, lease -> 1);
        replica.pause();
        assertThatThrownBy(() -> template.acquire(X.waitTime(Duration.ofSeconds(1))))
                .hasMessageContaining("x.global")
                .hasStackTraceContaining(" 1 replicas");
        await().untilAsserted(() -> assertThat(primary.keys()).doesNotContain(LOCK));
        replica.resume();
        await().ignoreExceptions().until(() -> template.execute(X, Lease::isHeld));
    }

    @Test
    void grantByMessageCountsWhenAReplicaHasIt() throws Exception {
        LockTemplate one = processes.start();
        LockTemplate other = processes.start();
        Lease lease = one.acquire(X);
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> other.execute(
                X.waitTime(Duration.ofSeconds(30)), next -> replica.keys().contains(LOCK)));
        processes.awaitWaiting(1);
        String held = String.valueOf(primary.command("GET", LOCK));
        replica.pause();
        assertThat(lease.release()).isTrue();
        assertThat(String.valueOf(primary.command("GET", LOCK)))
                .as("granted by the primary")
                .isNotEqualTo(held);
        assertThat(waiter).isNotDone();
        replica.resume();
        assertThat(waiter.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void withoutWaitEveryLockIsRefusedWithTheRight() {
        primary.command("ACL", "SETUSER", Backend.USER, "-wait");
        LockTemplate template = processes.start();
        assertThatThrownBy(() -> template.acquire(X.waitTime(Duration.ofSeconds(1))))
                .isInstanceOf(LockStoreException.class)
                .hasStackTraceContaining("NOPERM")
                .hasStackTraceContaining("+wait");
    }

    @Test
    void renewalThatNoReplicaHasDoesNotExtendTheLease() {
        LockTemplate template = processes.start(builder -> builder.expire(Duration.ofSeconds(2)));
        Lease lease = template.acquire(X);
        replica.pause();
        await().atMost(Duration.ofSeconds(10)).until(() -> !lease.isHeld());
        replica.resume();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        await().ignoreExceptions().until(() -> template.execute(X, Lease::isHeld));
    }
}
