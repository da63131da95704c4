package dev.baton.lock.redis;

import dev.baton.lock.harness.RedisView;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.testcontainers.containers.GenericContainer;

/**
 * A Redis Cluster of three masters with a replica each, in one container. The container uses the network of the host,
 * because the servers of a cluster name their addresses to clients. Linux only.
 */
public final class DockerCluster {

    private static final int FIRST_PORT = 17_000;
    private static final int SERVERS = 6;
    private static final String HOST = "127.0.0.1";
    private static final Duration FORMING_BOUND = Duration.ofSeconds(60);

    /** The programs of Valkey have these names, too. */
    private static final String START = """
            cd /tmp
            for port in PORTS; do
                redis-server --bind 127.0.0.1 --port $port --cluster-enabled yes --cluster-config-file nodes-$port.conf \
            --save '' --daemonize yes
            done
            for port in PORTS; do
                until redis-cli -p $port ping; do sleep 0.1; done
            done
            redis-cli --cluster create SERVERS --cluster-replicas 1 --cluster-yes
            exec sleep infinity
            """;

    private DockerCluster() {}

    /** Starts a cluster that stops with this JVM. Returns its servers. */
    @SuppressWarnings("resource") // the watchdog of the library stops the container with the JVM
    public static List<RedisView> start() {
        List<RedisView> servers = IntStream.range(FIRST_PORT, FIRST_PORT + SERVERS)
                .mapToObj(port -> new RedisView(HOST, port))
                .toList();
        new GenericContainer<>(DockerRedis.image())
                .withNetworkMode("host")
                .withCreateContainerCmdModifier(create -> create.withEntrypoint("sh", "-c", script()))
                .start();
        Awaitility.await()
                .atMost(FORMING_BOUND)
                .ignoreExceptions()
                .until(() -> servers.stream()
                        .allMatch(server -> String.valueOf(server.command("CLUSTER", "INFO"))
                                        .contains("cluster_state:ok")
                                && String.valueOf(server.command("CLUSTER", "SLOTS"))
                                        .contains(Integer.toString(FIRST_PORT + SERVERS - 1))));
        return servers;
    }

    /** Returns what the container runs: the servers, and the command that makes a cluster of them. */
    static String script() {
        List<String> ports = IntStream.range(FIRST_PORT, FIRST_PORT + SERVERS)
                .mapToObj(Integer::toString)
                .toList();
        return START.replace("PORTS", String.join(" ", ports))
                .replace(
                        "SERVERS", ports.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(" ")));
    }
}
