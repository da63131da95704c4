package dev.baton.lock.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Reads the configuration of a cluster, which is the same for each client library. Pure. */
public final class ClusterConfigurations {

    private static final int DEFAULT_PORT = 6379;

    private ClusterConfigurations() {}

    /** Returns the configured servers, in their order. Empty if no cluster is configured. */
    public static Set<ServerAddress> seeds(@Nullable RedisClusterConfiguration cluster) {
        return cluster == null
                ? Set.of()
                : cluster.getClusterNodes().stream()
                        .map(ClusterConfigurations::address)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static ServerAddress address(RedisNode node) {
        Integer port = node.getPort();
        return new ServerAddress(String.valueOf(node.getHost()), port == null ? DEFAULT_PORT : port);
    }

    /**
     * Returns the configuration of one server, with the user of the cluster.
     *
     * @throws IllegalStateException if no cluster is configured
     */
    public static RedisStandaloneConfiguration server(
            @Nullable RedisClusterConfiguration cluster, ServerAddress address) {
        if (cluster == null) {
            throw new IllegalStateException("no cluster is configured that " + address + " could belong to");
        }
        RedisStandaloneConfiguration one = new RedisStandaloneConfiguration(address.host(), address.port());
        one.setUsername(cluster.getUsername());
        one.setPassword(cluster.getPassword());
        return one;
    }

    /** Returns the arguments of a command, as they are sent. */
    public static byte[][] bytes(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }
}
