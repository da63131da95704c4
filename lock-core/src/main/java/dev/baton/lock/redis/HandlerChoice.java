package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.transaction.Transactions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which handler carries operations out: as configured, or as it turns out at the first answer to a script. */
final class HandlerChoice {

    private static final Logger log = LoggerFactory.getLogger(HandlerChoice.class);

    private final Supplier<Transactions> begin;
    /** Guards the change from scripts to transactions; held for moments only. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile LockHandler inUse;
    private volatile @Nullable Transactions transactions;

    /**
     * Creates it.
     *
     * @param begin makes the transactions, if they are needed
     */
    HandlerChoice(LockHandler wanted, Supplier<Transactions> begin) {
        this.begin = begin;
        this.inUse = wanted;
        if (wanted == LockHandler.TRANSACTION) {
            this.transactions = begin.get();
        }
    }

    /** {@link LockHandler#AUTO} as long as nothing has been answered. */
    LockHandler inUse() {
        return inUse;
    }

    /** Null: by script. */
    @Nullable
    Transactions transactions() {
        return transactions;
    }

    /** Part of the store's order: another number each time, once there are transactions. */
    long order() {
        Transactions begun = transactions;
        return begun == null ? 0 : begun.order();
    }

    /** The answer to a script; if scripts turn out to be refused, that of a transaction. */
    <T> CompletableFuture<T> decide(
            CompletableFuture<T> byScript, Function<Transactions, CompletableFuture<T>> otherwise) {
        if (inUse == LockHandler.SCRIPT) {
            return byScript;
        }
        CompletableFuture<CompletableFuture<T>> decided = byScript.handle((answer, failure) -> {
            if (failure == null) {
                settle();
            } else if (inUse != LockHandler.SCRIPT && RedisFailures.areScriptsRefused(failure)) {
                return otherwise.apply(change(failure));
            }
            return byScript;
        });
        return decided.thenCompose(Function.identity());
    }

    private void settle() {
        lock.lock();
        try {
            if (inUse == LockHandler.AUTO) {
                inUse = LockHandler.SCRIPT;
            }
        } finally {
            lock.unlock();
        }
    }

    private Transactions change(Throwable refusal) {
        lock.lock();
        try {
            Transactions begun = transactions;
            if (begun == null) {
                log.warn(
                        "Redis runs no scripts for this user ({}): locks are taken by transaction from now on, one per request;"
                                + " give it the right '+@scripting', or set baton.handler to transaction",
                        RedisFailures.rootMessage(refusal));
                begun = begin.get();
                transactions = begun;
                inUse = LockHandler.TRANSACTION;
            }
            return begun;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        Transactions begun = transactions;
        if (begun != null) {
            begun.close();
        }
    }
}
