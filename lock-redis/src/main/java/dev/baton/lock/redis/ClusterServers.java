package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.client.ClientLibrary;
import dev.baton.lock.redis.cluster.Cluster;
import dev.baton.lock.redis.cluster.ClusterScan;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The masters of a Redis Cluster. */
final class ClusterServers implements StoreServers {

    private final RedisLockStore store;
    private final String channel;
    private final Cluster cluster;
    private final ScriptTransport transport;
    private final ClusterScan scan;

    ClusterServers(RedisLockStore store, ClientLibrary library, StoreThreads threads, String channel) {
        this.store = store;
        this.channel = channel;
        this.cluster = new Cluster(library, store.failures, threads);
        this.transport = cluster.transport();
        this.scan =
                new ClusterScan(cluster, (master, command) -> scripts(master).scan(command));
    }

    private ScriptCommands scripts(ScriptTransport master) {
        return new ScriptCommands(store.keys, store.placement, channel, master, store.traits(LockHandler.SCRIPT));
    }

    @Override
    public ScriptTransport transport() {
        return transport;
    }

    /** Returns the scripts: a cluster has no transactions over several keys that could take their place. */
    @Override
    public LockCommands commands(ScriptCommands scripts) {
        return scripts;
    }

    @Override
    public GrantSubscription subscription(GrantInbox told) {
        return cluster.subscription(
                store.strategy == WaitStrategy.GRANT ? GrantMessages.withCopies(store.keys, channel, told) : null);
    }

    @Override
    public CompletableFuture<ScanPage> scan(LockCommands commands, ScanCommand command) {
        return scan.page(command);
    }

    @Override
    public TransactionConnection.@Nullable Source connections(LockName name) {
        return cluster.connections(store.placement.slot(store.keys, name));
    }

    @Override
    public @Nullable Primary primary(LockName name) {
        Cluster.Master master = cluster.masterWith(store.placement.slot(store.keys, name));
        return master == null ? null : new Primary(master.transport(), store.keys.primary(master.lowestSlot()));
    }

    @Override
    public void troubled() {
        cluster.troubled();
    }

    @Override
    public void close() {
        transport.close();
    }
}
