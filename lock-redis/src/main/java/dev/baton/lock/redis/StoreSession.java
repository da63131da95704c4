package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.failover.ConfirmedCommands;
import dev.baton.lock.redis.failover.ConfirmedInbox;
import dev.baton.lock.redis.failover.GrantConfirmation;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Holds the parts of a store that live from its start to its stop.
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
        this.servers = StoreServers.of(store, threads, channel);
        this.scripts = new ScriptCommands(
                store.keys, store.placement, channel, servers.transport(), store.traits(LockHandler.SCRIPT));
        LockCommands unconfirmed = servers.commands(scripts);
        GrantConfirmation confirmation = Confirmations.of(store, servers, scripts, unconfirmed, threads);
        if (confirmation == null) {
            this.commands = unconfirmed;
            this.inbox = servers.subscription(told);
        } else {
            ConfirmedInbox confirmed = new ConfirmedInbox(told, confirmation, threads);
            this.commands = new ConfirmedCommands(unconfirmed, confirmation, confirmed);
            this.inbox = servers.subscription(confirmed);
        }
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
