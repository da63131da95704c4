package dev.baton.lock.redis.script;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends scripts to Redis, and never waits for Redis; one implementation per client library. */
public interface ScriptTransport {

    /**
     * Sends a script. The future completes within the time-out. Without an answer, or if the answer is an error, the
     * future completes exceptionally with a {@code StoreException}. Its dependents may run on an I/O thread.
     */
    CompletableFuture<List<Object>> send(LuaScript script, List<String> keys, List<String> args, long timeoutNanos);

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
