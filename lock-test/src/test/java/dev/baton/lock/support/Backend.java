package dev.baton.lock.support;

import dev.baton.lock.test.TestRedis;
import java.util.List;
import java.util.Locale;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Over which client, and in which database, the locks of a test are kept. */
public record Backend(Client client, int database) {

    public static final Backend LETTUCE = new Backend(Client.LETTUCE, 0);

    /** Each client and each database, once. */
    public static List<Backend> diagonal() {
        return List.of(LETTUCE, new Backend(Client.JEDIS, 1));
    }

    /** Each client with each database. */
    public static List<Backend> all() {
        return List.of(
                LETTUCE, new Backend(Client.LETTUCE, 1), new Backend(Client.JEDIS, 0), new Backend(Client.JEDIS, 1));
    }

    /** A server of its own, observed where the locks are. */
    public TestRedis startRedis(String... settings) {
        TestRedis redis = TestRedis.start(settings);
        redis.observe(database);
        return redis;
    }

    public Connections connect(String host, int port) {
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration(host, port);
        where.setDatabase(database);
        return client.connect(where);
    }

    /** Connects as this Redis user, whose password is its name. */
    public Connections connect(String host, int port, String user) {
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration(host, port);
        where.setDatabase(database);
        where.setUsername(user);
        where.setPassword(user);
        return client.connect(where);
    }

    @Override
    public String toString() {
        return client.name().toLowerCase(Locale.ROOT) + "/" + database;
    }
}
