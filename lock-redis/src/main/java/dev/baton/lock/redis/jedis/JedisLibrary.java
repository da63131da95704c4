package dev.baton.lock.redis.jedis;

import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.client.ClusterConfigurations;
import dev.baton.lock.redis.client.ServerAddress;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.redis.script.ScriptTransport;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Jedis, with the connections of one factory. */
public final class JedisLibrary implements ClientLibrary {

    private static final Logger log = LoggerFactory.getLogger(JedisLibrary.class);

    private final JedisConnectionFactory factory;
    private final boolean own;

    /** Creates the library for an application's factory. */
    public JedisLibrary(JedisConnectionFactory factory) {
        this(factory, false);
    }

    private JedisLibrary(JedisConnectionFactory factory, boolean own) {
        this.factory = factory;
        this.own = own;
    }

    @Override
    public JedisConnectionFactory factory() {
        return factory;
    }

    @Override
    public ScriptTransport transport(RedisFailures failures, StoreThreads threads) {
        return new JedisTransport(factory, failures, threads);
    }

    @Override
    public GrantSubscription subscription(
            GrantMessages messages, @Nullable KeyspaceEvents events, StoreThreads threads) {
        return new JedisInbox(factory, messages, events, threads.subscriber());
    }

    @Override
    public int database() {
        return factory.getDatabase();
    }

    @Override
    public Set<ServerAddress> seeds() {
        return ClusterConfigurations.seeds(factory.getClusterConfiguration());
    }

    @Override
    public ClientLibrary server(ServerAddress address) {
        RedisStandaloneConfiguration one = ClusterConfigurations.server(factory.getClusterConfiguration(), address);
        JedisConnectionFactory made = new JedisConnectionFactory(one, factory.getClientConfiguration());
        made.afterPropertiesSet();
        made.start();
        return new JedisLibrary(made, true);
    }

    @Override
    public @Nullable Object ask(String command, String... args) {
        try (RedisConnection connection = factory.getConnection()) {
            return ask(connection, command, args);
        }
    }

    /** Sends one command and returns the reply, as {@link #ask(String, String...)} does. */
    static @Nullable Object ask(RedisConnection connection, String command, String... args) {
        return connection.execute(command, ClusterConfigurations.bytes(args));
    }

    @Override
    public void close() {
        if (!own) {
            return;
        }
        try {
            factory.destroy();
        } catch (RuntimeException ex) {
            log.debug("Closing the connections to {} failed", factory.getHostName(), ex);
        }
    }
}
