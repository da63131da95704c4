package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How long a grant is not on the replica yet, and how long two hold a lock whose grant a failover has lost, without
 * acknowledgements and without a pause.
 */
@Tag("nightly")
class LossWindowTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);
    private static final int GRANTS = 500;

    private final Backend backend = Backend.LETTUCE;
    private TestRedis primary;
    private TcpProxy front;
    private TcpProxy link;
    private TestRedis replica;
    private Processes processes;

    @BeforeEach
    void start() {
        primary = backend.startOpenRedis("repl-diskless-sync yes", "repl-diskless-sync-delay 0");
        front = TcpProxy.to(primary);
        link = TcpProxy.to(primary);
        replica = backend.startOpenRedis("replicaof " + link.host() + " " + link.port());
        await().until(() ->
                String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
        processes = new Processes(front.host(), front.port());
    }

    @AfterEach
    void stop() throws Exception {
        processes.close();
        replica.close();
        link.close();
        front.close();
        primary.close();
    }

    private LockTemplate process() {
        return processes.start(builder -> builder.expire(LEASE).commandTimeout(COMMAND_TIMEOUT));
    }

    @Test
    void grantIsOnTheReplicaSoon() {
        LockTemplate template = process();
        long[] nanos = new long[GRANTS];
        try (var connection = replica.connect()) {
            for (int i = 0; i < GRANTS; i++) {
                try (Lease lease = template.acquire(X)) {
                    long granted = System.nanoTime();
                    while (!String.valueOf(connection.command("GET", LOCK))
                            .contains(" " + lease.fencingToken() + " ")) {
                        assertThat(System.nanoTime() - granted).isLessThan(TimeUnit.SECONDS.toNanos(5));
                    }
                    nanos[i] = System.nanoTime() - granted;
                }
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                "a grant is on the replica after %.2f ms in the median, %.2f ms at most, of %d%n",
                nanos[GRANTS / 2] / 1e6, nanos[GRANTS - 1] / 1e6, GRANTS);
    }

    /** Only a renewal tells the holder of the lost grant, because the new primary does not know it. */
    @Test
    void twoHoldALostLockUntilTheRenewalOfTheFirst() {
        LockTemplate one = process();
        LockTemplate other = process();
        one.execute(X, lease -> 1);
        await().until(() -> !replica.keys().contains(LOCK));
        link.swallow();
        Lease lost = one.acquire(X.renew(Renewal.ALWAYS));
        primary.stop();
        replica.command("REPLICAOF", "NO", "ONE");
        front.retarget(replica);
        front.cut();
        try (Lease second = other.acquire(X.waitTime(Duration.ofSeconds(10)))) {
            long begun = System.nanoTime();
            await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> !lost.isHeld());
            Duration both = Duration.ofNanos(System.nanoTime() - begun);
            System.out.printf("two held a lost lock for %d ms, with leases of %s%n", both.toMillis(), LEASE);
            assertThat(second.isHeld()).isTrue();
            assertThat(both).isLessThan(LEASE);
        }
    }
}
