package dev.baton.lock.faults;

import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.ClusterBackend;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;

/** A Redis Cluster of three masters with a replica each. */
final class ClusterTopology extends Topology {

    private final TestCluster cluster = ClusterBackend.start();
    /** The slots of the locks. */
    private final List<Integer> slots;

    /** Starts the servers. The faults hit the masters of these locks. */
    ClusterTopology(List<String> keys) {
        slots = keys.stream().map(cluster::slotOf).toList();
    }

    @Override
    RedisConfiguration where() {
        RedisClusterConfiguration where = new RedisClusterConfiguration(cluster.addresses());
        where.setUsername(Backend.USER);
        where.setPassword(Backend.USER);
        return where;
    }

    @Override
    String happenToServers(Random random) throws Exception {
        int slot = slots.get(random.nextInt(slots.size()));
        TestRedis master = cluster.masterOf(slot);
        TestRedis other = cluster.inOneShard(master);
        String kind;
        switch (random.nextInt(5)) {
            case 0 -> {
                master.stop();
                until(() -> cluster.masterOf(slot) == other);
                cluster.rejoin(master);
                kind = "KILL_MASTER";
            }
            case 1 -> {
                until(() -> {
                    if (cluster.masterOf(slot) == other) {
                        return true;
                    }
                    // Redis gives a failover up if its servers do not agree within five seconds
                    other.command("CLUSTER", "FAILOVER");
                    return false;
                });
                kind = "FAILOVER";
            }
            case 2 -> {
                pause(master, random);
                kind = "PAUSE_MASTER";
            }
            case 3 -> {
                List<TestRedis> targets = cluster.mastersNow().stream()
                        .filter(target -> target != master)
                        .toList();
                cluster.move(slot, targets.get(random.nextInt(targets.size())));
                kind = "MOVE_SLOT";
            }
            default -> {
                master.command("CLIENT", "KILL", "TYPE", random.nextBoolean() ? "normal" : "pubsub");
                kind = "CLIENT_KILL";
            }
        }
        until(cluster::isWhole);
        return kind;
    }

    @Override
    SortedSet<String> keys() {
        SortedSet<String> keys = new TreeSet<>();
        cluster.mastersNow().forEach(master -> keys.addAll(master.keys()));
        return keys;
    }

    @Override
    void closeServers() {
        cluster.close();
    }
}
