package dev.baton.lock.faults;

import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** One server that is killed and started again, with or without its data. */
final class RestartTopology extends Topology {

    private final TestRedis redis;

    /**
     * Starts the server.
     *
     * @param persistent whether the server writes its data to disk, once per second ({@code appendfsync everysec})
     */
    RestartTopology(boolean persistent, Path directory) throws IOException {
        redis = persistent
                ? server("dir " + Files.createDirectories(directory), "appendonly yes", "appendfsync everysec")
                : server();
    }

    @Override
    RedisConfiguration where() {
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration(redis.host(), redis.port());
        where.setUsername(Backend.USER);
        where.setPassword(Backend.USER);
        return where;
    }

    @Override
    String happenToServers(Random random) throws InterruptedException {
        switch (random.nextInt(3)) {
            case 0 -> {
                pause(redis, random);
                return "PAUSE";
            }
            case 1 -> {
                redis.command("CLIENT", "KILL", "TYPE", random.nextBoolean() ? "normal" : "pubsub");
                return "CLIENT_KILL";
            }
            default -> {
                redis.stop();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
                redis.restart();
                return "KILL";
            }
        }
    }

    @Override
    SortedSet<String> keys() {
        return redis.keys();
    }

    @Override
    void closeServers() {
        redis.close();
    }
}
