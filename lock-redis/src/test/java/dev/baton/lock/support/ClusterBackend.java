package dev.baton.lock.support;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestCluster;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.DocumentedCommands;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisClusterConfiguration;

/** A Redis Cluster of three masters with a replica each, over one client. The first test of a JVM starts the cluster. */
public record ClusterBackend(Client client) {

    /** The user of a process that may not subscribe. */
    public static final String DEAF = "deaf";

    /** The user of a process that may not ask for the slots. */
    public static final String LOST = "lost";

    /** Each client once. */
    public static List<ClusterBackend> all() {
        return Stream.of(Client.values()).map(ClusterBackend::new).toList();
    }

    /** Returns the cluster that the tests of this JVM share. They leave it as it was, but empty it. */
    public static TestCluster shared() {
        return Shared.CLUSTER;
    }

    /** Starts a cluster whose users have the rights that docs/operations.md lists, and no others. */
    public static TestCluster start() {
        String rights = "~lock:* resetchannels &lock:* "
                + DocumentedCommands.rules(Stream.of(
                                DocumentedCommands.needed(),
                                DocumentedCommands.ofClusters(),
                                DocumentedCommands.ofFailovers())
                        .flatMap(List::stream)
                        .toList());
        return TestCluster.start(
                3,
                true,
                "user " + Backend.USER + " on >" + Backend.USER + " " + rights,
                "user " + DEAF + " on >" + DEAF + " " + rights + " -subscribe",
                "user " + LOST + " on >" + LOST + " " + rights + " -cluster");
    }

    /** Removes all keys. */
    public static void clear(TestCluster cluster) {
        for (TestRedis master : cluster.masters()) {
            try (RespConnection connection = master.connect()) {
                connection.command("FLUSHALL");
            }
        }
    }

    /** Connects as the user of the applications. */
    public Connections connect(TestCluster cluster) {
        return connect(cluster, Backend.USER);
    }

    /** Connects as another user, whose password is its name. */
    public Connections connect(TestCluster cluster, String user) {
        RedisClusterConfiguration where = new RedisClusterConfiguration(cluster.addresses());
        where.setUsername(user);
        where.setPassword(user);
        return client.connect(where);
    }

    @Override
    public String toString() {
        return "cluster/" + client.name().toLowerCase(Locale.ROOT);
    }

    private static final class Shared {

        static final TestCluster CLUSTER = start();
    }
}
