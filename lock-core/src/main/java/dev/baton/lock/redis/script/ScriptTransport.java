package dev.baton.lock.redis.script;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends scripts to Redis and never waits for it; one implementation per client library. */
public interface ScriptTransport {

    /**
     * Sends a script; the future completes within the time-out, exceptionally with a {@code StoreException} without an
     * answer or with an error for one. Its dependents may run on an I/O thread.
     */
    CompletableFuture<List<Object>> send(LuaScript script, List<String> keys, List<String> args, long timeoutNanos);

    /** Changes whenever the connection does: a command that is under way then may be carried out twice. */
    long epoch();

    /** Changes whenever a command that is under way may be carried out after later ones: with the epoch, and otherwise. */
    long order();

    /** Gives the connection back; the next command opens one anew. */
    void close();
}
