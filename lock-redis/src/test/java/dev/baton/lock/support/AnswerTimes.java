package dev.baton.lock.support;

import dev.baton.lock.store.LockStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When a store was given the last command that grants or extends and that it has answered. Redis counts a lease from later than
 * that, so the lease lives at least for its length from then.
 */
public final class AnswerTimes {

    private static final Set<String> COMMANDS = Set.of("acquire", "exchange", "renew");

    private final AtomicLong last = new AtomicLong(System.nanoTime());

    /** The same store, observed. */
    public LockStore observe(LockStore store) {
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, args) -> {
                    long givenAt = System.nanoTime();
                    Object result;
                    try {
                        result = method.invoke(store, args);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                    return result instanceof CompletableFuture<?> answer && COMMANDS.contains(method.getName())
                            ? answer.thenApply(value -> {
                                last.accumulateAndGet(givenAt, AnswerTimes::later);
                                return value;
                            })
                            : result;
                });
    }

    /** Before this moment of {@code System.nanoTime()} Redis does not end the lease of this length. */
    public long earliestEnd(Duration lease) {
        return last.get() + lease.toNanos();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
