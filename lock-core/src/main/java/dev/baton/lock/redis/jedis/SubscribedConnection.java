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
 * A connection of Jedis while it is subscribed, and what becomes of it. Jedis gives it back to the application's pool as it is
 * when a callback throws, when its thread is interrupted or when Redis refuses a further channel: still subscribed, it would
 * answer no other command. So it is always closed.
 */
public final class SubscribedConnection {

    public static final String FIELD = "provider";

    private static final Logger log = LoggerFactory.getLogger(SubscribedConnection.class);

    private static final @Nullable Field PROVIDER =
            ReflectionUtils.findField(UnifiedJedis.class, FIELD, ConnectionProvider.class);

    private SubscribedConnection() {}

    /**
     * Returns when the subscription has been left, and throws when its connection is lost.
     *
     * @param lent the connection as Spring lends it; or a client, which lends connections
     */
    static void listen(Object lent, BinaryJedisPubSub subscription, byte[][] channels) {
        if (lent instanceof Jedis jedis) {
            listen(jedis.getConnection(), subscription, channels);
        } else if (lent instanceof UnifiedJedis jedis) {
            listen(jedis, subscription, channels);
        } else {
            throw new IllegalStateException("no connection of Jedis: " + lent.getClass());
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

    /** Given back as broken, it is forgotten by its pool. */
    private static void drop(Connection connection) {
        try {
            connection.disconnect();
        } catch (RuntimeException ex) {
            log.debug("Closing the connection of a subscription failed", ex);
        } finally {
            connection.setBroken();
        }
    }

    /** Null: it cannot be looked into, as in a native image without hints. */
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
