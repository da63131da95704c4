package dev.baton.lock.redis.lettuce;

import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.client.ClusterConfigurations;
import dev.baton.lock.redis.client.ServerAddress;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.redis.script.ScriptTransport;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Lettuce, with the connections of one factory. */
public final class LettuceLibrary implements ClientLibrary {

    private static final Logger log = LoggerFactory.getLogger(LettuceLibrary.class);

    private final LettuceConnectionFactory factory;
    private final LockListenerContainer container;
    private final boolean own;

    /**
     * Creates the library for an application's factory.
     *
     * @param container listens on the inbox
     */
    public LettuceLibrary(LettuceConnectionFactory factory, LockListenerContainer container) {
        this(factory, container, false);
    }

    private LettuceLibrary(LettuceConnectionFactory factory, LockListenerContainer container, boolean own) {
        this.factory = factory;
        this.container = container;
        this.own = own;
    }

    @Override
    public LettuceConnectionFactory factory() {
        return factory;
    }

    @Override
    public ScriptTransport transport(RedisFailures failures, StoreThreads threads) {
        return new LettuceTransport(new LettuceLink(factory, threads.opener(), failures), failures, threads);
    }

    @Override
    public GrantSubscription subscription(
            GrantMessages messages, @Nullable KeyspaceEvents events, StoreThreads threads) {
        return events == null
                ? new RedisInbox(container, messages, threads.subscriber())
                : new LettuceKeyspace(factory, messages, events, threads.subscriber());
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
        LettuceClientConfiguration settings = factory.getClientConfiguration();
        ClientOptions options = settings.getClientOptions().orElseGet(ClientOptions::create);
        LettuceConnectionFactory made =
                new LettuceConnectionFactory(one, new DedicatedClientConfiguration(settings, factory, options));
        made.afterPropertiesSet();
        made.start();
        return new LettuceLibrary(made, LockListenerContainer.of(made), true);
    }

    @Override
    public @Nullable Object ask(String command, String... args) {
        try (RedisConnection connection = factory.getConnection()) {
            return ask((LettuceConnection) connection, command, args);
        }
    }

    /** Sends one command and returns the reply, as {@link #ask(String, String...)} does. */
    static @Nullable Object ask(LettuceConnection connection, String command, String... args) {
        return connection.execute(
                command, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), ClusterConfigurations.bytes(args));
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
