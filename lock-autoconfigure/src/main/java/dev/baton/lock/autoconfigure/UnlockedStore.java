package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Grants every request at once and keeps nothing: {@code baton.enabled=false}. Everything else is as with locks, so that an
 * application meets nothing new when it is enabled: leases end, and what is not re-entrant fails.
 *
 * <p>Fencing tokens grow within this process, and over its restarts while the clock does not step back.
 */
final class UnlockedStore implements LockStore, LockStoreAdministration {

    private final AtomicLong token = new AtomicLong();

    @Override
    public void start(String instance, GrantInbox inbox) {
        // there is nobody to listen to
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
    public void listenAnew() {
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
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return CompletableFuture.completedFuture(
                Collections.nCopies(command.renewals().size(), List.of()));
    }

    /** Nobody holds what is not kept. */
    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return CompletableFuture.completedFuture(
                new LockState(name.namespace(), name.name(), Optional.empty(), List.of(), 0));
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

    /** Microseconds of the wall clock, as Redis's script takes them, or the next number. */
    private long nextToken() {
        long micros = System.currentTimeMillis() * 1000;
        return token.updateAndGet(last -> Math.max(micros, last + 1));
    }
}
