package dev.baton.lock.redis.jedis;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ReflectionUtils;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * Listens on a Jedis connection and always closes the connection afterwards. Jedis returns the connection to the
 * application's pool unchanged if a callback throws, its thread is interrupted, or Redis refuses a further channel.
 * Such a connection is still subscribed, and would answer no other command.
 */
public final class SubscribedConnection {

    public static final String FIELD = "provider";

    private static final Logger log = LoggerFactory.getLogger(SubscribedConnection.class);

    private static final @Nullable Field PROVIDER =
            ReflectionUtils.findField(UnifiedJedis.class, FIELD, ConnectionProvider.class);

    private SubscribedConnection() {}

    /**
     * Listens until the subscription is left. Throws if the connection of the subscription is lost.
     *
     * @param lent the connection that Spring lends, or a client that lends connections
     */
    static void listen(Object lent, BinaryJedisPubSub subscription, byte[][] channels) {
        if (lent instanceof Jedis jedis) {
            listen(jedis.getConnection(), subscription, channels);
        } else if (lent instanceof UnifiedJedis jedis) {
            listen(jedis, subscription, channels);
        } else {
            throw new IllegalStateException("not a Jedis connection: " + lent.getClass());
        }
    }

    private static void listen(UnifiedJedis client, BinaryJedisPubSub subscription, byte[][] channels) {
        ConnectionProvider provider = provider(client);
        if (provider == null) {
            client.subscribe(subscription, channels);
            return;
        }
        try (Connection connection = provider.getConnection()) {
            listen(connection, subscription, channels);
        }
    }

    private static void listen(Connection connection, BinaryJedisPubSub subscription, byte[][] channels) {
        try {
            subscription.proceed(connection, channels);
        } finally {
            drop(connection);
        }
    }

    /** Closes a connection and gives it back as broken, so that its pool forgets it. */
    private static void drop(Connection connection) {
        try {
            connection.disconnect();
        } catch (RuntimeException ex) {
            log.debug("Closing the connection of a subscription failed", ex);
        } finally {
            connection.setBroken();
        }
    }

    /**
     * Returns the client's provider, or {@code null} if the field is not accessible, as in a native image without
     * hints.
     */
    private static @Nullable ConnectionProvider provider(UnifiedJedis client) {
        if (PROVIDER == null) {
            return null;
        }
        try {
            PROVIDER.setAccessible(true);
            return (ConnectionProvider) PROVIDER.get(client);
        } catch (IllegalAccessException | RuntimeException ex) {
            return null;
        }
    }
}
