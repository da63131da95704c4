package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.redis.transaction.Transactions;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.concurrent.CompletableFuture;

/** One server, standalone or the primary behind sentinels. */
final class OneServer implements StoreServers {

    private final RedisLockStore store;
    private final ClientLibrary library;
    private final StoreThreads threads;
    private final String channel;
    private final ScriptTransport transport;

    OneServer(RedisLockStore store, ClientLibrary library, StoreThreads threads, String channel) {
        this.store = store;
        this.library = library;
        this.threads = threads;
        this.channel = channel;
        this.transport = library.transport(store.failures, threads);
    }

    @Override
    public ScriptTransport transport() {
        return transport;
    }

    @Override
    public LockCommands commands(ScriptCommands scripts) {
        return switch (store.handler) {
            case SCRIPT -> scripts;
            case TRANSACTION -> transactions();
            case AUTO -> new AutoCommands(scripts, this::transactions);
        };
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

    @Override
    public GrantSubscription subscription(GrantInbox told) {
        return ServerSubscription.of(store, library, threads, channel, told);
    }

    @Override
    public CompletableFuture<ScanPage> scan(LockCommands commands, ScanCommand command) {
        return commands.scan(command);
    }

    @Override
    public void close() {
        transport.close();
    }
}
