package dev.baton.lock.test;

import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Hands each message to a process to its test, which delivers the message later. */
final class LateMessages implements GrantInbox {

    private final GrantInbox inbox;
    private final Consumer<Runnable> delivery;

    private LateMessages(GrantInbox inbox, Consumer<Runnable> delivery) {
        this.inbox = inbox;
        this.delivery = delivery;
    }

    /** Returns the store with messages that are late. The process has received a message when the message has run. */
    static LockStore of(LockStore store, Consumer<Runnable> delivery) {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("start")) {
                        arguments[1] = new LateMessages((GrantInbox) arguments[1], delivery);
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
            delivery.accept(message);
        } catch (RejectedExecutionException ex) {
            // the fleet has stopped; a message that comes too late is no news either
            Thread.yield();
        }
    }
}
