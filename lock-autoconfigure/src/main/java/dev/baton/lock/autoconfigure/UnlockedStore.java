package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockState;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Grants every request at once and keeps nothing, for {@code baton.enabled=false}. Everything else behaves as with
 * locks: leases of the template end, and calls that are not re-entrant fail. An application therefore meets nothing new
 * once locks are enabled. {@link EndlessLeases} excepts the leases of methods.
 *
 * <p>Fencing tokens grow within this process over all such stores, and across its restarts unless the clock steps back.
 */
final class UnlockedStore implements LockStore, LockStoreAdministration {

    /** The last token of all stores of this kind, because methods and templates may use different ones. */
    private static final AtomicLong LAST = new AtomicLong();

    private static final LockState.Permits ALL_FREE = new LockState.Permits(OptionalInt.empty(), 0);

    private final StoreTraits traits;

    /**
     * Creates the store.
     *
     * @param strategy the configured wait strategy, so that the same requests are valid as with locks
     */
    UnlockedStore(WaitStrategy strategy) {
        StoreTraits alone = new StoreTraits(strategy, StoreTraits.POLLING_INTERVAL, false, null);
        this.traits = new StoreTraits(
                strategy,
                StoreTraits.POLLING_INTERVAL,
                false,
                null,
                strategy == WaitStrategy.GRANT ? null : alone.exclusiveOnly(),
                "locks are switched off, and nothing signals a condition; set baton.enabled to true");
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        // there are no messages to listen to
    }

    @Override
    public void stop() {
        // nothing was started
    }

    @Override
    public boolean isListening() {
        return true;
    }

    @Override
    public long order() {
        return 0;
    }

    @Override
    public void listenAgain() {
        // no message gets lost
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        List<AcquireReply.Answer> answers = command.requests().stream()
                .<AcquireReply.Answer>map(request -> new AcquireReply.Granted(nextToken(), false))
                .toList();
        return CompletableFuture.completedFuture(new AcquireReply(false, answers, false, false));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return CompletableFuture.completedFuture(new EndReply(EndReply.Role.HOLDER, List.of(), false, false));
    }

    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return CompletableFuture.completedFuture(new DowngradeReply(OptionalLong.of(nextToken()), false, List.of()));
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        AcquireReply.Answer granted = new AcquireReply.Granted(nextToken(), false);
        return CompletableFuture.completedFuture(new ForceAcquireReply(granted, List.of(), false));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return CompletableFuture.completedFuture(
                Collections.nCopies(command.renewals().size(), List.of()));
    }

    /** Returns the state of a free lock, because this store keeps no locks. */
    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return CompletableFuture.completedFuture(new LockState(
                name.namespace(),
                name.name(),
                Optional.empty(),
                List.of(),
                0,
                List.of(),
                name.semaphore() ? Optional.of(ALL_FREE) : Optional.empty()));
    }

    /** Has no effect, because this store grants all permits. */
    @Override
    public CompletableFuture<LockState.Permits> resize(LockName semaphore, int size, long millis, long timeoutNanos) {
        return CompletableFuture.completedFuture(ALL_FREE);
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return CompletableFuture.completedFuture(new ScanPage(List.of(), ScanCommand.START));
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return CompletableFuture.completedFuture(new ForceReply(null));
    }

    @Override
    public LockStoreAdministration administration() {
        return this;
    }

    @Override
    public String describe() {
        return "No store (baton.enabled=false)";
    }

    @Override
    public List<String> keys(LockName name) {
        return List.of();
    }

    /**
     * Returns the wall clock in microseconds, as the Redis script does, or the last token plus one if that is greater.
     */
    private static long nextToken() {
        long micros = System.currentTimeMillis() * 1000;
        return LAST.updateAndGet(last -> Math.max(micros, last + 1));
    }
}
