package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockCapabilities.Topology;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests an application of which only {@code spring.data.redis.cluster.nodes} says that its Redis is a cluster. */
class ClusterApplicationTests {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private static TestCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = TestCluster.start(3, false);
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    private static ApplicationContextRunner application(String client, String nodes) {
        return Contexts.withoutRedis()
                .withUserConfiguration(ServerService.class)
                .withPropertyValues(
                        "spring.data.redis.cluster.nodes=" + nodes, "spring.data.redis.client-type=" + client);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void methodsAndTemplateLockWithoutFurtherSettings(String client) {
        // one of the servers is enough to find the others
        application(client, cluster.addresses().get(0)).run(context -> {
            assertThat(context).hasNotFailed();
            for (int id = 0; id < 10; id++) {
                assertThat(context.getBean(ServerService.class).version(id)).isEqualTo("Server " + id);
            }
            LockTemplate template = context.getBean(LockTemplate.class);
            assertThat(template.capabilities().topology()).isEqualTo(Topology.CLUSTER);
            assertThat(cluster.masters()).allMatch(master -> !master.keys().isEmpty());
        });
    }

    /** Over Jedis, Spring Data connects at the start, and reports the same. */
    @Test
    void serverOfNoClusterIsNamedWithTheRemedy() {
        try (TestRedis alone = TestRedis.start()) {
            application("lettuce", alone.host() + ":" + alone.port())
                    .run(context -> await().atMost(BOUND)
                            .untilAsserted(() -> assertThatExceptionOfType(LockStoreException.class)
                                    .isThrownBy(() -> context.getBean(LockOperations.class)
                                            .acquire(LockRequest.of("report").waitTime(Duration.ofSeconds(2))))
                                    .withMessageContaining("cluster support disabled")
                                    .withMessageContaining("This server belongs to no Redis Cluster")));
        }
    }

    static class ServerService {

        @DistributedLock(scope = "server_access", key = "#serverId", expire = 10)
        String version(int serverId) {
            return "Server " + serverId;
        }
    }
}
