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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A store of an application that records its calls and grants nothing. */
final class RecordingStore implements LockStore, LockStoreAdministration {

    final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public void start(String instance, GrantInbox inbox) {
        calls.add("start");
    }

    @Override
    public void stop() {
        calls.add("stop");
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
        calls.add("listenAgain");
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        throw new UnsupportedOperationException("no lock is taken in these tests");
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        throw new UnsupportedOperationException("no lock is taken in these tests");
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        throw new UnsupportedOperationException("no lock is taken in these tests");
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
        throw new UnsupportedOperationException("no lock is taken in these tests");
    }

    @Override
    public LockStoreAdministration administration() {
        return this;
    }

    @Override
    public String describe() {
        return "recording store";
    }

    @Override
    public List<String> keys(LockName name) {
        return List.of();
    }
}
