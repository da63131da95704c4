package dev.baton.lock.support;

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
import dev.baton.lock.testing.Journal;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A store that grants every request at once, unless its scope is {@code taken}, and keeps a journal. */
final class GrantingStore implements LockStore, LockStoreAdministration {

    private final AtomicLong token = new AtomicLong();
    private final Journal journal;

    GrantingStore(Journal journal) {
        this.journal = journal;
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        List<AcquireReply.Answer> answers = command.requests().stream()
                .<AcquireReply.Answer>map(request -> answer(command.names()))
                .toList();
        return CompletableFuture.completedFuture(new AcquireReply(false, answers, false, false));
    }

    private AcquireReply.Answer answer(List<LockName> names) {
        if (names.get(0).name().startsWith("taken.")) {
            return new AcquireReply.Busy(null, token.get());
        }
        names.forEach(name -> journal.add("acquire " + name.name()));
        return new AcquireReply.Granted(token.incrementAndGet(), false);
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        command.names().forEach(name -> journal.add("release " + name.name()));
        return CompletableFuture.completedFuture(new EndReply(EndReply.Role.HOLDER, List.of(), false, false));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return CompletableFuture.completedFuture(
                Collections.nCopies(command.renewals().size(), List.of()));
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        // this store sends no messages
    }

    @Override
    public void stop() {
        // this store starts no threads
    }

    @Override
    public long order() {
        return 0;
    }

    @Override
    public boolean isListening() {
        return true;
    }

    @Override
    public void listenAgain() {
        // this store loses no messages
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        throw new UnsupportedOperationException("no lock is looked at in these tests");
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        throw new UnsupportedOperationException("no lock is looked at in these tests");
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        throw new UnsupportedOperationException("no lock is taken away in these tests");
    }

    @Override
    public LockStoreAdministration administration() {
        return this;
    }

    @Override
    public String describe() {
        return "the granting store";
    }

    @Override
    public List<String> keys(LockName name) {
        return List.of(name.name());
    }
}
