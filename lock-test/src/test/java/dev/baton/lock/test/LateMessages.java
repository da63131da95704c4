package dev.baton.lock.test;

import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineTimer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/** Delays each message to a process by a time of its own, so that messages also overtake each other. */
final class LateMessages implements GrantInbox {

    private final GrantInbox inbox;
    private final EngineTimer timer;
    private final LongSupplier delayNanos;

    private LateMessages(GrantInbox inbox, EngineTimer timer, LongSupplier delayNanos) {
        this.inbox = inbox;
        this.timer = timer;
        this.delayNanos = delayNanos;
    }

    /** Returns the store with messages that are late. */
    static LockStore of(LockStore store, EngineTimer timer, LongSupplier delayNanos) {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("start")) {
                        arguments[1] = new LateMessages((GrantInbox) arguments[1], timer, delayNanos);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                });
    }

    @Override
    public void granted(List<LockName> names, String id, long token) {
        late(() -> inbox.granted(names, id, token));
    }

    @Override
    public void granted(List<LockName> names, String id, long token, long number) {
        late(() -> inbox.granted(names, id, token, number));
    }

    @Override
    public void revoked(List<LockName> names, String id, long token) {
        late(() -> inbox.revoked(names, id, token));
    }

    @Override
    public void listening() {
        inbox.listening();
    }

    private void late(Runnable message) {
        try {
            timer.schedule(message, delayNanos.getAsLong());
        } catch (RejectedExecutionException ex) {
            // the fleet has stopped; a message that comes too late is no news either
            Thread.yield();
        }
    }
}
