package dev.baton.lock.test;

import dev.baton.lock.LockState;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A store in memory without a queue. Its waiters poll, or are notified of a freed lock. */
final class UnqueuedStore implements LockStore, LockStoreAdministration {

    static final Duration INTERVAL = Duration.ofMillis(100);

    private final InMemoryLockStore store;
    private final FreedLocks freed;
    private final StoreTraits traits;
    private final Set<LockName> watched = ConcurrentHashMap.newKeySet();
    private volatile @Nullable GrantInbox inbox;

    UnqueuedStore(InMemoryLockStore store, FreedLocks freed, WaitStrategy strategy) {
        this.store = store;
        this.freed = freed;
        this.traits = new StoreTraits(strategy, INTERVAL, false, null);
    }

    @Override
    public void start(String instance, GrantInbox receiver) {
        inbox = receiver;
        store.start(instance, receiver);
        if (traits.waitStrategy() == WaitStrategy.POLLING) {
            // a process that polls subscribes to nothing
            store.setListening(false);
        }
        freed.add(this);
    }

    @Override
    public void stop() {
        freed.remove(this);
        store.stop();
    }

    @Override
    public long order() {
        return store.order();
    }

    @Override
    public boolean isListening() {
        return traits.waitStrategy() == WaitStrategy.KEYSPACE && store.isListening();
    }

    @Override
    public void listenAgain() {
        store.listenAgain();
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        List<AcquireCommand.Request> tries = command.requests().stream()
                .map(request -> request.as(AcquireCommand.Kind.TRY))
                .toList();
        CompletableFuture<AcquireReply> reply =
                store.acquire(new AcquireCommand(command.names(), tries, command.recheck(), command.timeoutNanos()));
        for (AcquireCommand.Request request : tries) {
            freed.checkAfter(command.names(), request.leaseMillis());
        }
        return reply;
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        CompletableFuture<ForceAcquireReply> reply = store.forceAcquire(command);
        freed.checkAfter(command.acquire().names(), command.request().leaseMillis());
        return reply;
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return store.tellHolders(name, timeoutNanos);
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        CompletableFuture<EndReply> reply = store.end(command);
        freed.checkAfter(command.names(), 0);
        freed.checkAfter(command.names(), command.keepMillis());
        return reply;
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        CompletableFuture<List<List<LockName>>> reply = store.renew(command);
        command.renewals().forEach(renewal -> freed.checkAfter(renewal.names(), renewal.leaseMillis()));
        return reply;
    }

    @Override
    public void watch(LockName name) {
        watched.add(name);
        freed.checkAfter(List.of(name), 0);
    }

    @Override
    public void unwatch(LockName name) {
        watched.remove(name);
    }

    /** Runs on the thread of the messages. */
    void wasFreed(LockName name) {
        if (traits.waitStrategy() == WaitStrategy.KEYSPACE && watched.contains(name)) {
            Objects.requireNonNull(inbox).freed(name);
        }
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public List<String> keys(LockName name) {
        return store.keys(name);
    }

    @Override
    public LockStoreAdministration administration() {
        return this;
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return store.inspect(name, waiters, timeoutNanos);
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return store.scan(command);
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        CompletableFuture<ForceReply> reply = store.forceRelease(name, timeoutNanos);
        freed.checkAfter(List.of(name), 0);
        return reply;
    }
}
