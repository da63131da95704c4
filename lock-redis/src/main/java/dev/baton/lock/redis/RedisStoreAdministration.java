package dev.baton.lock.redis;

import dev.baton.lock.LockCapabilities;
import dev.baton.lock.LockState;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Inspects and force-releases the locks of a {@link RedisLockStore}. Thread-safe. */
final class RedisStoreAdministration implements LockStoreAdministration {

    private final RedisLockStore store;

    RedisStoreAdministration(RedisLockStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return store.send(commands -> commands.inspect(name, waiters, timeoutNanos));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return store.scan(command);
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return store.send(commands -> commands.forceRelease(name, timeoutNanos));
    }

    @Override
    public CompletableFuture<LockState.Permits> resize(LockName name, int size, long millis, long timeoutNanos) {
        return store.send(commands -> commands.resize(name, size, millis, timeoutNanos));
    }

    @Override
    public CompletableFuture<LockCapabilities> capabilities(long timeoutNanos) {
        return store.server(timeoutNanos)
                .thenApply(known -> RedisCapabilities.of(store.factory, store.handler(), store.strategy, known));
    }

    @Override
    public LockCapabilities knownCapabilities() {
        return RedisCapabilities.of(store.factory, store.handler(), store.strategy, store.knownServer());
    }

    @Override
    public CompletableFuture<Optional<Instant>> time(long timeoutNanos) {
        return store.send(commands -> commands.time(timeoutNanos)).thenApply(Optional::of);
    }
}
