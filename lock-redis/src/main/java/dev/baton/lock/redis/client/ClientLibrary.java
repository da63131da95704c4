package dev.baton.lock.redis.client;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.redis.script.ScriptTransport;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** A client library with the connections of one factory. Connects when it is first needed. Thread-safe. */
public interface ClientLibrary {

    /** Returns the factory that makes the connections. */
    RedisConnectionFactory factory();

    /** Creates what sends scripts. */
    ScriptTransport transport(RedisFailures failures, StoreThreads threads);

    /**
     * Creates the subscription of this process, which is not started.
     *
     * @param events what receives changes of locks, or {@code null} if only messages of other processes arrive
     */
    GrantSubscription subscription(GrantMessages messages, @Nullable KeyspaceEvents events, StoreThreads threads);

    /** Returns the index of the database. */
    int database();

    /** Returns the configured servers of a cluster. Empty if the factory does not connect to a cluster. */
    Set<ServerAddress> seeds();

    /**
     * Returns a library for one server of the cluster, with the same settings and with connections of its own.
     *
     * @throws IllegalStateException if the factory does not connect to a cluster
     */
    ClientLibrary server(ServerAddress address);

    /**
     * Sends one command and waits for the reply, as long as the settings of the client say.
     *
     * @return a text, bytes, a number, or a list or map of those
     * @throws RuntimeException if the reply is an error, or if there is no reply
     */
    @Nullable
    Object ask(String command, String... args);

    /** Closes the connections, if this library has been made by {@link #server}. */
    void close();
}
