package dev.baton.lock.redis.jedis;

import dev.baton.lock.redis.key.StoreThreads;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.util.Pool;

/**
 * Keeps a few connections of the pool for calling threads, each for at most a second. Taking a connection here never
 * blocks. Taking one from the pool may: the pool may be exhausted, may have to connect, or may test the connection.
 * After the second, a connection goes back to the pool, whose own rules for tests, age and the master then apply.
 *
 * <p>The application shares the pool, so at least half of its connections stay there. Thread-safe.
 */
final class KeptConnections {

    static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StoreThreads threads;
    private final Consumer<Connection> closer;
    /** The connections that no thread uses now, last used first. */
    private final Deque<Kept> idle = new ConcurrentLinkedDeque<>();
    /** The number of kept connections, in use or not. */
    private final AtomicInteger size = new AtomicInteger();

    private volatile boolean closed;

    /**
     * A connection of the pool. One thread at a time uses it.
     *
     * @param until when the connection is to go back to the pool
     */
    record Kept(Connection connection, Pool<Connection> pool, long until) {}

    /**
     * Creates an instance without connections.
     *
     * @param closer gives a connection back to its pool, on another thread, because the pool may block
     */
    KeptConnections(StoreThreads threads, Consumer<Connection> closer) {
        this.threads = threads;
        this.closer = closer;
    }

    /** Returns how many connections of a pool to keep: at most half of those that the subscription leaves, or none. */
    static int limit(int maxTotal) {
        return maxTotal < 0
                ? JedisTransport.THREADS
                : Math.min(JedisTransport.THREADS, Math.max(0, (maxTotal - 2) / 2));
    }

    /** Takes a connection, which the caller then gives back or drops. Returns {@code null} if there is none at once. */
    @Nullable
    Kept take() {
        return idle.pollFirst();
    }

    /**
     * Keeps a connection that was just borrowed from its pool, and that works. Returns {@code false} if the connection
     * is not kept: the thread that borrowed it then gives it back to the pool.
     */
    boolean keep(Pool<Connection> pool, Connection connection) {
        if (closed || pool.getNumWaiters() > 0) {
            return false;
        }
        if (size.incrementAndGet() > limit(pool.getMaxTotal())) {
            size.decrementAndGet();
            return false;
        }
        Kept kept = new Kept(connection, pool, System.nanoTime() + KEEP_NANOS);
        try {
            threads.after(KEEP_NANOS, () -> retireIfIdle(kept));
        } catch (RejectedExecutionException ex) {
            // the store has stopped
            size.decrementAndGet();
            return false;
        }
        offer(kept);
        return true;
    }

    /** Takes a connection back that has just answered. A thread that waits for the pool is served first. */
    void giveBack(Kept kept) {
        if (System.nanoTime() - kept.until() >= 0 || kept.pool().getNumWaiters() > 0) {
            retire(kept);
        } else {
            offer(kept);
        }
    }

    /** Takes a connection back that failed, or that may still answer. */
    void drop(Kept kept) {
        kept.connection().setBroken();
        retire(kept);
    }

    /** Gives all connections back to the pool, those in use when they have answered. Keeps no more. */
    void close() {
        closed = true;
        for (Kept kept = take(); kept != null; kept = take()) {
            retire(kept);
        }
    }

    private void offer(Kept kept) {
        idle.addFirst(kept);
        if (closed) {
            retireIfIdle(kept);
        }
    }

    private void retireIfIdle(Kept kept) {
        if (idle.remove(kept)) {
            retire(kept);
        }
    }

    private void retire(Kept kept) {
        size.decrementAndGet();
        closer.accept(kept.connection());
    }
}
