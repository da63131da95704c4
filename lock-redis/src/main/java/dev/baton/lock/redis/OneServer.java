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
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One server, standalone or the primary behind sentinels. */
final class OneServer implements StoreServers {

    private final RedisLockStore store;
    private final ClientLibrary library;
    private final StoreThreads threads;
    private final String channel;
    private final ScriptTransport transport;

    /** Guards the connections; held only briefly. */
    private final ReentrantLock lock = new ReentrantLock();

    private TransactionConnection.@Nullable Source connections;

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

    /** If grants have to be confirmed, no transactions take the place of scripts, because they confirm nothing. */
    @Override
    public LockCommands commands(ScriptCommands scripts) {
        return switch (store.handler) {
            case SCRIPT -> scripts;
            case TRANSACTION -> transactions();
            case AUTO -> store.confirms() ? scripts : new AutoCommands(scripts, this::transactions);
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
    public TransactionConnection.Source connections(LockName name) {
        lock.lock();
        try {
            TransactionConnection.Source made = connections;
            if (made == null) {
                made = TransactionConnection.Source.of(store.factory);
                connections = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Primary primary(LockName name) {
        return new Primary(transport, store.keys.primary());
    }

    /** Does nothing: the client library connects to the primary of today. */
    @Override
    public void troubled() {}

    @Override
    public void close() {
        transport.close();
        lock.lock();
        try {
            if (connections != null) {
                connections.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
