package dev.baton.lock.support;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestCluster;
import java.util.Set;
import java.util.TreeSet;

/** Processes in the Redis Cluster that the tests share, over one client. Every process is a Redis user with the listed rights. */
final class ClusterFleet extends ServerFleet {

    private final TestCluster cluster;

    ClusterFleet(ClusterBackend backend) {
        this(backend, ClusterBackend.shared());
    }

    private ClusterFleet(ClusterBackend backend, TestCluster cluster) {
        super(new Processes(() -> backend.connect(cluster), store -> {}), WaitStrategy.GRANT);
        this.cluster = cluster;
    }

    @Override
    Set<String> lastingKeys() {
        Set<String> keys = new TreeSet<>();
        cluster.masters().forEach(master -> keys.addAll(master.lastingKeys()));
        return keys;
    }

    @Override
    RedisView serverOf(String key) {
        return cluster.masterOf(cluster.slotOf(key));
    }

    @Override
    public void close() throws Exception {
        closeProcesses();
        ClusterBackend.clear(cluster);
    }
}
