package dev.baton.lock.redis.script;

import dev.baton.lock.store.WaitingCaller;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends scripts to Redis; one implementation per client library. Waits for Redis only for a waiting caller. */
public interface ScriptTransport {

    /**
     * Sends a script. The future completes within the time-out. Without an answer, or if the answer is an error or
     * cannot be read, the future completes exceptionally with a {@code StoreException}. Its dependents may run on an
     * I/O thread.
     *
     * <p>The script may be carried out in the calling thread, as {@link dev.baton.lock.store.LockStore} allows for a
     * waiting caller.
     *
     * @param caller the calling thread, or {@code null} if this thread does not wait for the answer right away
     */
    <T> CompletableFuture<T> send(ScriptCall<T> call, long timeoutNanos, @Nullable WaitingCaller caller);

    /**
     * Returns a number that changes whenever the connection does. A command in progress may then be carried out twice.
     */
    long epoch();

    /**
     * Returns a number that changes whenever a command in progress may be carried out after later ones. The number
     * changes with the epoch, and in other cases.
     */
    long order();

    /** Gives the connection back; the next command opens another one. */
    void close();
}
