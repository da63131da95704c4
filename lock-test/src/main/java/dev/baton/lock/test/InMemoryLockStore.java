package dev.baton.lock.test;

import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
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
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks in memory for tests, without Redis. Grants, queues, hands over and ends locks as the store on Redis does,
 * by the time of a {@link TestClock}. Each store is one process; {@link #newProcess()} creates another process that
 * contends for the same locks.
 *
 * <pre>{@code
 * TestClock clock = TestClock.standing();
 * LockTemplate locks = LockTemplate.builder(new InMemoryLockStore(clock)).time(clock).build();
 * }</pre>
 *
 * <p>Thread-safe. Commands are executed and answered in the calling thread.
 */
public final class InMemoryLockStore implements LockStore, LockStoreAdministration {

    private final MemoryLocks locks;

    private volatile @Nullable Session session;

    /**
     * Creates a store without any locks.
     *
     * @param clock the clock by which leases end; the templates on this store must use the same clock
     */
    public InMemoryLockStore(TestClock clock) {
        this(new MemoryLocks(clock));
    }

    private InMemoryLockStore(MemoryLocks locks) {
        this.locks = locks;
    }

    /** Returns the store of another process, which shares all locks with this store. */
    public InMemoryLockStore newProcess() {
        return new InMemoryLockStore(locks);
    }

    /** Returns the clock of this store. */
    public TestClock clock() {
        return locks.clock();
    }

    /** Forgets all locks, waiters and tokens, like a Redis that loses its data. Notifies no process. */
    public void clear() {
        locks.clear();
    }

    /**
     * Drops or restores the subscription of this process. While the subscription is lost, the process receives no
     * notifications, and its waiters are passed over unless they poll on their own. Has no effect on a stopped store.
     *
     * @param listening {@code true} to restore the subscription, {@code false} to drop it
     */
    public void setListening(boolean listening) {
        Session now = session;
        if (now != null && listening) {
            now.inbox.listen();
        } else if (now != null) {
            now.inbox.deafen();
        }
    }

    /** Returns whether no lock is held, kept or awaited by any process. */
    boolean isEmpty() {
        return locks.isEmpty();
    }

    /** Returns the locks that are held, kept or awaited by any process. */
    Set<LockName> names() {
        return locks.names();
    }

    /** Ends the leases of all that hold the lock. */
    void expire(LockName name) {
        locks.expire(name);
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        MemoryInbox started = new MemoryInbox(inbox, clock().newTimer("baton-test-inbox"));
        session = new Session(instance, started);
        locks.connect(instance, started);
        started.listen();
    }

    @Override
    public void stop() {
        Session stopping = session;
        session = null;
        if (stopping != null) {
            locks.disconnect(stopping.instance);
            stopping.inbox.stop();
        }
    }

    @Override
    public long order() {
        return 0;
    }

    @Override
    public boolean isListening() {
        Session now = session;
        return now != null && now.inbox.isListening();
    }

    /** Does nothing: a lost subscription stays lost until the test restores it. */
    @Override
    public void listenAgain() {
        // see above
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        return answer(now -> locks.acquire(command, now.instance));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return answer(now -> locks.end(command));
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return answer(now -> locks.exchange(command, now.instance));
    }

    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return answer(now -> locks.downgrade(command));
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        return answer(now -> locks.forceAcquire(command));
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return answer(now -> locks.tellHolders(name));
    }

    @Override
    public CompletableFuture<AwaitReply> await(AwaitCommand command) {
        return answer(now -> locks.await(command, now.instance));
    }

    @Override
    public CompletableFuture<SignalReply> signal(SignalCommand command) {
        return answer(now -> locks.signal(command));
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return answer(now -> locks.extend(command));
    }

    @Override
    public StoreTraits traits() {
        return StoreTraits.GRANT.withReservedTokens().withSharedLocks().withConditions();
    }

    @Override
    public LockStoreAdministration administration() {
        return this;
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return answer(now -> locks.renew(command));
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return answer(now -> locks.inspect(name, waiters));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return answer(now -> locks.scan(command));
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return answer(now -> locks.forceRelease(name));
    }

    @Override
    public CompletableFuture<LockState.Permits> resize(LockName semaphore, int size, long millis, long timeoutNanos) {
        return answer(now -> locks.resize(semaphore, size, millis));
    }

    private <T> CompletableFuture<T> answer(Function<Session, T> operation) {
        Session now = session;
        return now == null
                ? CompletableFuture.failedFuture(new StoreException(
                        "the in-memory lock store is stopped; start() is missing, or the template was closed",
                        false,
                        null))
                : CompletableFuture.completedFuture(operation.apply(now));
    }

    @Override
    public String describe() {
        return "the in-memory lock store";
    }

    @Override
    public List<String> keys(LockName name) {
        String namespace = name.namespace().isEmpty() ? "" : name.namespace() + ":";
        return List.of("memory:" + namespace + (name.semaphore() ? "permits:" : "") + name.name());
    }

    /** The state that lives from start to stop. */
    private record Session(String instance, MemoryInbox inbox) {}
}
