package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.jedis.JedisInbox;
import dev.baton.lock.redis.jedis.JedisTransport;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.lettuce.LettuceKeyspace;
import dev.baton.lock.redis.lettuce.LettuceLink;
import dev.baton.lock.redis.lettuce.LettuceTransport;
import dev.baton.lock.redis.lettuce.RedisInbox;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.redis.pubsub.KeyspaceSettings;
import dev.baton.lock.redis.pubsub.NoSubscription;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.redis.transaction.Transactions;
import dev.baton.lock.store.GrantInbox;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Holds the parts of a store that live from its start to its stop. Loads the classes of a client library only if that
 * library is in use.
 */
final class StoreSession {

    private final StoreThreads threads = new StoreThreads();
    private final ScriptTransport transport;
    private final ScriptCommands scripts;
    final LockCommands commands;
    final GrantSubscription inbox;
    private final String channel;

    private final RedisLockStore store;

    /** What the server last reported of itself, or {@code null} before its first report. */
    private volatile @Nullable String knownServer;

    /**
     * Creates the session without connecting.
     *
     * @param told the inbox that is notified of messages
     * @param channel the channel on which grants arrive
     */
    StoreSession(RedisLockStore store, GrantInbox told, String channel) {
        this.store = store;
        this.channel = channel;
        this.transport = transport();
        this.scripts = new ScriptCommands(store.keys, channel, transport, store.traits(LockHandler.SCRIPT));
        this.commands = switch (store.handler) {
            case SCRIPT -> scripts;
            case TRANSACTION -> transactions();
            case AUTO -> new AutoCommands(scripts, this::transactions);
        };
        GrantMessages messages = new GrantMessages(store.keys, channel, told);
        this.inbox = switch (store.strategy) {
            case GRANT -> subscription(messages, null);
            case KEYSPACE -> subscription(messages, events(told));
            case POLLING -> new NoSubscription();
        };
    }

    void start() {
        inbox.start();
    }

    /** Stops listening, ends commands in progress, and gives connections back. */
    void stop() {
        inbox.stop();
        commands.close();
        transport.close();
        threads.stop();
    }

    /** Returns the name and version that the server reports, or empty if the server does not report them. */
    CompletableFuture<Optional<String>> server(long timeoutNanos) {
        return scripts.server(timeoutNanos)
                .thenApply(server -> {
                    server.ifPresent(name -> knownServer = name);
                    return server;
                })
                .exceptionally(failure -> Optional.empty());
    }

    /** Returns the last name and version that the server has reported, or empty if there is none. */
    Optional<String> knownServer() {
        return Optional.ofNullable(knownServer);
    }

    private LockCommands transactions() {
        return new Transactions(
                store.keys,
                channel,
                store.failures,
                threads,
                TransactionConnection.Source.of(store.factory),
                store.traits(LockHandler.TRANSACTION));
    }

    private ScriptTransport transport() {
        if (store.factory instanceof LettuceConnectionFactory lettuce) {
            LettuceLink link = new LettuceLink(lettuce, threads.opener(), store.failures);
            return new LettuceTransport(link, store.failures, threads);
        }
        return new JedisTransport(store.factory, store.failures, threads);
    }

    private GrantSubscription subscription(GrantMessages messages, @Nullable KeyspaceEvents events) {
        if (!(store.factory instanceof LettuceConnectionFactory lettuce)) {
            return new JedisInbox(store.factory, messages, events, threads.subscriber());
        }
        return events == null
                ? new RedisInbox(store.container, messages, threads.subscriber())
                : new LettuceKeyspace(lettuce, messages, events, threads.subscriber());
    }

    private KeyspaceEvents events(GrantInbox told) {
        KeyspaceSettings settings = store.configureKeyspace
                ? new KeyspaceSettings(store.factory, store.failures, threads.configurer())
                : null;
        return new KeyspaceEvents(store.keys, database(), settings, told);
    }

    private int database() {
        return store.factory instanceof LettuceConnectionFactory lettuce
                ? lettuce.getDatabase()
                : ((JedisConnectionFactory) store.factory).getDatabase();
    }
}
