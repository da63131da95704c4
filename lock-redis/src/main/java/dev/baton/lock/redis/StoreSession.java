package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.jedis.JedisLibrary;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.lettuce.LettuceLibrary;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.replica.AcknowledgedCommands;
import dev.baton.lock.redis.replica.AcknowledgedInbox;
import dev.baton.lock.redis.replica.AcknowledgedRenewals;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
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
    private final StoreServers servers;
    private final ScriptCommands scripts;
    final LockCommands commands;
    final GrantSubscription inbox;

    /** What the server last reported of itself, or {@code null} before its first report. */
    private volatile @Nullable String knownServer;

    /**
     * Creates the session without connecting.
     *
     * @param told the inbox that is notified of messages
     * @param channel the channel on which grants arrive
     */
    StoreSession(RedisLockStore store, GrantInbox told, String channel) {
        ClientLibrary library = library(store);
        this.servers = store.isCluster()
                ? new ClusterServers(store, library, threads, channel)
                : new OneServer(store, library, threads, channel);
        this.scripts = new ScriptCommands(
                store.keys, store.placement, channel, servers.transport(), store.traits(LockHandler.SCRIPT));
        LockCommands unacknowledged = servers.commands(scripts);
        if (store.replicasToAck == 0) {
            this.commands = unacknowledged;
            this.inbox = servers.subscription(told);
            return;
        }
        AcknowledgedRenewals renewals =
                new AcknowledgedRenewals(store.replicasToAck, scripts, servers::connections, store.failures, threads);
        AcknowledgedInbox acknowledged = new AcknowledgedInbox(told, renewals);
        this.commands = new AcknowledgedCommands(unacknowledged, renewals, acknowledged);
        this.inbox = servers.subscription(acknowledged);
    }

    private static ClientLibrary library(RedisLockStore store) {
        return store.factory instanceof LettuceConnectionFactory lettuce
                ? new LettuceLibrary(lettuce, store.container)
                : new JedisLibrary((JedisConnectionFactory) store.factory);
    }

    void start() {
        inbox.start();
    }

    /** Stops listening, ends commands in progress, and gives connections back. */
    void stop() {
        inbox.stop();
        commands.close();
        servers.close();
        threads.stop();
    }

    /** Returns some of the held locks. */
    CompletableFuture<ScanPage> scan(ScanCommand command) {
        return servers.scan(commands, command);
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
}
