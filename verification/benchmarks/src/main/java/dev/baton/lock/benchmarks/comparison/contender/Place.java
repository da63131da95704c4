package dev.baton.lock.benchmarks.comparison.contender;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Objects;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis of a run as one process sees it. All that use Lettuce share its one connection; Redisson and Jedis have pools of
 * their own, shared by their variants. For one thread at a time.
 */
public final class Place implements AutoCloseable {

    private final String host;
    private final int port;
    private final LettuceConnectionFactory lettuce;
    private final Lazy<JedisConnectionFactory> jedis = new Lazy<>(this::connectJedis, JedisConnectionFactory::destroy);
    private final Lazy<RedissonClient> redisson = new Lazy<>(this::connectRedisson, RedissonClient::shutdown);

    /** Connects when needed. */
    public Place(String host, int port) {
        this.host = host;
        this.port = port;
        this.lettuce = new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port));
        lettuce.afterPropertiesSet();
        lettuce.start();
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    LettuceConnectionFactory lettuce() {
        return lettuce;
    }

    /** Commands on the very connection that Spring Data's users share. */
    @SuppressWarnings({"unchecked", "deprecation"}) // there is no other way to the connection
    RedisCommands<byte[], byte[]> lettuceCommands() {
        try (RedisConnection connection = lettuce.getConnection()) {
            var commands =
                    (RedisAsyncCommands<byte[], byte[]>) Objects.requireNonNull(connection.getNativeConnection());
            return commands.getStatefulConnection().sync();
        }
    }

    JedisConnectionFactory jedis() {
        return jedis.get();
    }

    RedissonClient redisson() {
        return redisson.get();
    }

    private JedisConnectionFactory connectJedis() {
        JedisConnectionFactory factory = new JedisConnectionFactory(new RedisStandaloneConfiguration(host, port));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private RedissonClient connectRedisson() {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + host + ":" + port);
        return Redisson.create(config);
    }

    @Override
    public void close() {
        redisson.close();
        jedis.close();
        lettuce.destroy();
    }
}
