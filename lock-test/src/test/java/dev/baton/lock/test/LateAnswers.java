package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.StoreTraits;
import dev.baton.lock.time.EngineTimer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** Carries out commands at once, and answers them a moment later, on a thread of its own, as a client library does. */
final class LateAnswers implements LockStore {

    private final LockStore store;
    private final EngineTimer answers;

    LateAnswers(LockStore store, EngineTimer answers) {
        this.store = store;
        this.answers = answers;
    }

    private <T> CompletableFuture<T> late(CompletableFuture<T> answer) {
        CompletableFuture<T> late = new CompletableFuture<>();
        try {
            answers.schedule(
                    () -> answer.whenComplete((value, failure) -> {
                        if (failure == null) {
                            late.complete(value);
                        } else {
                            late.completeExceptionally(failure);
                        }
                    }),
                    0);
        } catch (RejectedExecutionException ex) {
            late.completeExceptionally(ex);
        }
        return late;
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        store.start(instance, inbox);
    }

    @Override
    public void stop() {
        store.stop();
    }

    @Override
    public long order() {
        return store.order();
    }

    @Override
    public boolean isListening() {
        return store.isListening();
    }

    @Override
    public void listenAgain() {
        store.listenAgain();
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        return late(store.acquire(command));
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        return late(store.forceAcquire(command));
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return late(store.tellHolders(name, timeoutNanos));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return late(store.end(command));
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return late(store.exchange(command));
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return late(store.extend(command));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return late(store.renew(command));
    }

    @Override
    public void watch(LockName name) {
        store.watch(name);
    }

    @Override
    public void unwatch(LockName name) {
        store.unwatch(name);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public List<String> keys(LockName name) {
        return store.keys(name);
    }

    @Override
    public LockStoreAdministration administration() {
        return store.administration();
    }
}
