package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.DockerCluster;
import dev.baton.lock.redis.DockerRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisClusterConfiguration;

/** Locks in a cluster of six servers of a container image. */
@ParameterizedClass
@EnumSource(Client.class)
@Tag("docker")
class DockerClusterTests {

    private static List<RedisView> servers;

    private final Client client;
    private Processes processes;
    private LockTemplate one;
    private LockTemplate other;

    DockerClusterTests(Client client) {
        this.client = client;
    }

    @BeforeAll
    static void startCluster() {
        DockerRedis.assume();
        if (servers == null) {
            servers = DockerCluster.start();
        }
    }

    @BeforeEach
    void startProcesses() {
        List<String> addresses = servers.stream()
                .map(server -> server.host() + ":" + server.port())
                .toList();
        processes = new Processes(() -> client.connect(new RedisClusterConfiguration(addresses)), store -> {});
        one = processes.start(builder -> builder.recheck(Duration.ofMinutes(5)));
        other = processes.start(builder -> builder.recheck(Duration.ofMinutes(5)));
    }

    @AfterEach
    void endProcesses() throws Exception {
        processes.close();
    }

    /** No waiter asks twice, so each hand-over depends on its message. */
    @Test
    void locksOfAllMastersAreHandedOverByMessages() throws Exception {
        for (int i = 0; i < 20; i++) {
            LockRequest request = LockRequest.of("k", i).waitUnbounded();
            Lease lease = one.acquire(request);
            CompletableFuture<Lease> waiter = CompletableFuture.supplyAsync(() -> other.acquire(request));
            processes.awaitWaiting(1);
            assertThat(lease.release()).isTrue();
            Lease next = waiter.get(10, TimeUnit.SECONDS);
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
            assertThat(next.renew()).isTrue();
            assertThat(next.release()).isTrue();
        }
    }

    @Test
    void listShowsTheLocksOfAllMasters() {
        List<Lease> leases = IntStream.range(0, 30)
                .mapToObj(i -> one.acquire(LockRequest.of("l", i)))
                .toList();
        assertThat(other.list("l.*", null).map(LockState::name)).hasSize(30);
        leases.forEach(Lease::close);
        await().untilAsserted(() -> assertThat(other.list("l.*", null)).isEmpty());
    }

    @Test
    void locksOfOneSlotAreGrantedTogether() {
        LockRequest both = LockRequest.ofAll("k", List.of(LockNames.tagged("t", 1), LockNames.tagged("t", 2)));
        try (Lease lease = one.acquire(both)) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(other.tryAcquire(LockRequest.of("k", LockNames.tagged("t", 2))))
                    .isEmpty();
        }
    }
}
