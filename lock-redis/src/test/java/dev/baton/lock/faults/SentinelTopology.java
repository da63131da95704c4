package dev.baton.lock.faults;

import dev.baton.lock.harness.Sentinels;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

/** A primary with two replicas behind three sentinels. */
final class SentinelTopology extends Topology {

    private static final int SENTINELS = 3;

    private final List<TestRedis> servers = new ArrayList<>();
    private final List<Sentinels> sentinels;
    private final boolean onlyCrashes;

    /**
     * Starts the servers.
     *
     * @param onlyCrashes whether a primary is replaced only after its end, so that it grants nothing any more
     */
    SentinelTopology(boolean onlyCrashes) throws IOException {
        this.onlyCrashes = onlyCrashes;
        String[] settings = {"repl-diskless-sync yes", "repl-diskless-sync-delay 0", "repl-timeout 5"};
        TestRedis primary = server(settings);
        servers.add(primary);
        for (int i = 0; i < 2; i++) {
            TestRedis replica = server(settings);
            servers.add(replica);
            replica.command("REPLICAOF", primary.host(), Integer.toString(primary.port()));
        }
        until(() -> servers.stream().skip(1).allMatch(Topology::follows));
        sentinels = Sentinels.start(primary, SENTINELS, 2);
    }

    @Override
    RedisConfiguration where() {
        RedisSentinelConfiguration where = new RedisSentinelConfiguration(
                Sentinels.MASTER,
                sentinels.stream()
                        .map(sentinel -> servers.get(0).host() + ":" + sentinel.port())
                        .collect(Collectors.toSet()));
        where.setUsername(Backend.USER);
        where.setPassword(Backend.USER);
        return where;
    }

    /** Returns the primary of which all sentinels tell. */
    private TestRedis primary() {
        List<Integer> told =
                sentinels.stream().map(Sentinels::masterPort).distinct().toList();
        return servers.stream()
                .filter(server -> told.equals(List.of(server.port())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the sentinels tell of different primaries: " + told));
    }

    @Override
    String happenToServers(Random random) throws Exception {
        TestRedis primary = primary();
        String kind;
        switch (onlyCrashes ? 0 : random.nextInt(4)) {
            case 0 -> {
                kill(primary);
                kind = "KILL_PRIMARY";
            }
            case 1 -> {
                sentinels.get(0).failOver();
                until(() -> primary() != primary);
                kind = "FAILOVER";
            }
            case 2 -> {
                pause(primary, random);
                kind = "PAUSE_PRIMARY";
            }
            default -> {
                primary.command("CLIENT", "KILL", "TYPE", random.nextBoolean() ? "normal" : "pubsub");
                kind = "CLIENT_KILL";
            }
        }
        heal();
        return kind;
    }

    /** Kills the primary, and starts it again, empty, when another server has taken its place. */
    private void kill(TestRedis primary) {
        primary.stop();
        until(() -> primary() != primary);
        primary.restart();
        TestRedis now = primary();
        primary.command("REPLICAOF", now.host(), Integer.toString(now.port()));
    }

    /** Returns when all servers but the primary follow it, and the sentinels know that. */
    private void heal() {
        until(() -> sentinels.stream().allMatch(Sentinels::isCalm));
        until(() -> {
            TestRedis primary = primary();
            return String.valueOf(primary.command("INFO", "replication")).contains("connected_slaves:2")
                    && servers.stream().filter(server -> server != primary).allMatch(Topology::follows);
        });
    }

    @Override
    SortedSet<String> keys() {
        return primary().keys();
    }

    @Override
    void closeServers() {
        sentinels.forEach(Sentinels::close);
        servers.forEach(TestRedis::close);
    }
}
