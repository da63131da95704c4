package dev.baton.lock.redis.jedis;

import dev.baton.lock.redis.jedis.KeptConnections.Kept;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.ServerCheck;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.LuaScript;
import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.time.Deadlines;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.Pool;

/**
 * Sends scripts over Jedis, which blocks: on the store's own threads, with a connection per command that is borrowed
 * from the factory itself. Never uses a template: inside an application's Redis transaction or pipeline, a template
 * would queue the script instead of running it.
 *
 * <p>The store's clock bounds each command, regardless of what the command's thread waits for. A command that times out
 * before it has a thread and a pooled connection is never sent.
 *
 * <p>A caller that waits for the answer sends its command itself if one of the {@link KeptConnections} is free. A worker
 * sends the others, and keeps the connection for the next caller.
 */
public final class JedisTransport implements ScriptTransport {

    /** Leaves one connection for the subscription: a pool has eight connections by default. */
    static final int THREADS = 7;

    static final int QUEUE = 4096;

    private static final Logger log = LoggerFactory.getLogger(JedisTransport.class);

    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long STOP_BOUND_MILLIS = 200;

    private final RedisConnectionFactory factory;
    private final RedisFailures failures;
    private final StoreThreads threads;
    private final ServerCheck check;
    private final ThreadPoolExecutor workers;
    private final KeptConnections connections;
    private final AtomicLong given = new AtomicLong();

    public JedisTransport(RedisConnectionFactory factory, RedisFailures failures, StoreThreads threads) {
        this.factory = factory;
        this.failures = failures;
        this.threads = threads;
        this.check = new ServerCheck(failures);
        this.workers = workers();
        this.connections = new KeptConnections(threads, this::giveBack);
    }

    private static ThreadPoolExecutor workers() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                THREADS, THREADS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), task -> {
                    Thread thread = new Thread(task, "baton-store-jedis-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }

    @Override
    public <T> CompletableFuture<T> send(ScriptCall<T> call, long timeoutNanos, @Nullable WaitingCaller caller) {
        if (caller == null || !CallerExchange.isPossible(caller, timeoutNanos)) {
            return sendByWorker(call, timeoutNanos, false);
        }
        Kept kept = connections.take();
        if (kept == null) {
            return sendByWorker(call, timeoutNanos, true);
        }
        long begun = System.nanoTime();
        CompletableFuture<T> future = new CompletableFuture<>();
        return sendDirectly(call, future, kept, caller, timeoutNanos)
                ? future
                : sendByWorker(call, Math.max(1, timeoutNanos - (System.nanoTime() - begun)), true);
    }

    /**
     * Sends a script in the calling thread, and completes the future. Returns {@code false} if Redis does not know the
     * script.
     */
    private <T> boolean sendDirectly(
            ScriptCall<T> call, CompletableFuture<T> future, Kept kept, WaitingCaller caller, long timeoutNanos) {
        long begun = System.nanoTime();
        CallerExchange direct = new CallerExchange(kept.connection(), threads.opener());
        Deadlines.Watch bound = null;
        List<Object> reply = null;
        Throwable failure = null;
        try {
            bound = threads.after(CallerExchange.boundNanos(caller, timeoutNanos), direct::letGo);
            reply = direct.ask(call, caller.interruptible());
        } catch (RejectedExecutionException ex) {
            failure = failures.stopped();
        } catch (RuntimeException | Error ex) {
            failure = ex;
        }
        if (bound != null) {
            bound.cancel();
        }
        boolean leftAlone = direct.finish();
        if (leftAlone && (reply != null || failure instanceof JedisNoScriptException)) {
            connections.giveBack(kept);
        } else {
            connections.drop(kept);
        }
        if (reply != null) {
            call.complete(future, reply);
        } else if (!leftAlone || causedBy(failure, SocketTimeoutException.class)) {
            // the time-out of the application's own connections may come first, and says the same
            future.completeExceptionally(failures.noAnswer(call.script().file(), System.nanoTime() - begun, true));
        } else if (failure instanceof JedisNoScriptException) {
            return false;
        } else {
            future.completeExceptionally(failed(call, failure, true));
        }
        return true;
    }

    /**
     * Sends a script on a thread of the store.
     *
     * @param keep whether to keep the connection for callers
     */
    private <T> CompletableFuture<T> sendByWorker(ScriptCall<T> call, long timeoutNanos, boolean keep) {
        Exchange<T> exchange = new Exchange<>(call, keep);
        try {
            exchange.boundBy(threads.after(timeoutNanos, () -> exchange.expire(timeoutNanos)));
            workers.execute(exchange);
        } catch (RejectedExecutionException ex) {
            exchange.finish();
            exchange.completeExceptionally(
                    workers.isShutdown()
                            ? failures.stopped()
                            : failures.tooMany(call.script().file(), QUEUE));
        }
        return exchange;
    }

    private StoreException failed(ScriptCall<?> call, @Nullable Throwable failure, boolean maybeReceived) {
        Throwable cause = failure == null ? new IllegalStateException("no answer") : failure;
        // a connection that was refused is reported as such, also if the refusal has words
        return maybeReceived && causedBy(cause, JedisDataException.class)
                ? failures.refused(call.script().file(), cause, true)
                : failures.notReached(cause, maybeReceived);
    }

    /** Returns a constant: Jedis sends no command twice. */
    @Override
    public long epoch() {
        return 0;
    }

    /** Returns another number each time: an earlier command may be on another connection, and slower. */
    @Override
    public long order() {
        return given.incrementAndGet();
    }

    /** Lets commands in progress finish for a short time, then interrupts those that wait for a connection. */
    @Override
    public void close() {
        connections.close();
        workers.shutdown();
        try {
            if (workers.awaitTermination(STOP_BOUND_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        for (Runnable waiting : workers.shutdownNow()) {
            if (waiting instanceof Exchange<?> exchange) {
                exchange.finish();
                exchange.completeExceptionally(failures.stopped());
            } else {
                closeOnOpener(waiting);
            }
        }
    }

    /** Gives a connection back to its pool, on another thread: the pool may test it, or connect another one. */
    private void giveBack(Connection connection) {
        Runnable closing = () -> {
            if (connection.isBroken()) {
                // a plain close would first send what is still in the buffer
                close(connection::forceDisconnect);
            }
            close(connection);
        };
        try {
            workers.execute(closing);
        } catch (RejectedExecutionException ex) {
            closeOnOpener(closing);
        }
    }

    private void closeOnOpener(Runnable closing) {
        try {
            threads.opener().execute(closing);
        } catch (RejectedExecutionException ex) {
            // the store has stopped, so that nothing waits for this thread
            closing.run();
        }
    }

    /** One script in progress: EVALSHA, then EVAL if Redis does not know the script (yet, or since a restart). */
    private final class Exchange<T> extends CompletableFuture<T> implements Runnable {

        private final ScriptCall<T> call;
        /** Whether to keep the connection for callers. */
        private final boolean keep;

        private volatile Deadlines.@Nullable Watch bound;

        /** Keeps an interrupt from hitting the next command of the thread; held only briefly. */
        private final ReentrantLock lock = new ReentrantLock();

        private @Nullable Thread runner;
        /** Set once, by the first of two events: the script is sent, or it expires and is never sent. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private volatile boolean sent;

        Exchange(ScriptCall<T> call, boolean keep) {
            this.call = call;
            this.keep = keep;
        }

        void boundBy(Deadlines.Watch timer) {
            bound = timer;
        }

        @Override
        public void run() {
            runBy(Thread.currentThread());
            try {
                if (isDone()) {
                    return;
                }
                List<Object> reply = ask();
                if (reply != null) {
                    finish();
                    call.complete(this, reply);
                }
            } catch (RuntimeException | Error ex) {
                finish();
                completeExceptionally(failed(call, ex, sent));
            } finally {
                runBy(null);
                Thread.interrupted();
            }
        }

        private void runBy(@Nullable Thread thread) {
            lock.lock();
            try {
                runner = thread;
            } finally {
                lock.unlock();
            }
        }

        /**
         * Returns the answer, or {@code null} if the script expired before it was sent. The timer then completes the
         * future.
         */
        private @Nullable List<Object> ask() {
            RedisConnection connection = factory.getConnection();
            try {
                check.check((command, args) -> JedisLibrary.ask(connection, command, args));
                // a Jedis before version 7 has no such client, and its connections are no UnifiedJedis
                if (keep
                        && connection.getNativeConnection() instanceof UnifiedJedis unified
                        && unified instanceof RedisClient client) {
                    return askAndKeep(client.getPool());
                }
                if (!decided.compareAndSet(false, true)) {
                    return null;
                }
                sent = true;
                return ask(connection.scriptingCommands());
            } finally {
                close(connection);
            }
        }

        /** As {@link #ask()}, with a connection that the next caller may use afterwards. */
        private @Nullable List<Object> askAndKeep(Pool<Connection> pool) {
            Connection connection = pool.getResource();
            boolean kept = false;
            try {
                if (!decided.compareAndSet(false, true)) {
                    return null;
                }
                sent = true;
                List<Object> reply = JedisScripts.ask(connection, call);
                kept = connections.keep(pool, connection);
                return reply;
            } finally {
                if (!kept) {
                    close(connection);
                }
            }
        }

        private List<Object> ask(RedisScriptingCommands commands) {
            LuaScript script = call.script();
            int keys = call.keys().length;
            byte[][] keysAndArgs = call.keysAndArgs();
            List<Object> reply;
            try {
                reply = commands.evalSha(script.sha1(), ReturnType.MULTI, keys, keysAndArgs);
            } catch (RuntimeException ex) {
                if (!causedBy(ex, JedisNoScriptException.class) || isDone()) {
                    throw ex;
                }
                reply = commands.eval(script.text(), ReturnType.MULTI, keys, keysAndArgs);
            }
            if (reply == null) {
                throw new IllegalStateException(script.file() + " answered nothing");
            }
            return reply;
        }

        void expire(long timeoutNanos) {
            boolean never = decided.compareAndSet(false, true);
            if (!completeExceptionally(failures.noAnswer(call.script().file(), timeoutNanos, !never))
                    || workers.remove(this)) {
                return;
            }
            lock.lock();
            try {
                if (runner != null) {
                    // the thread may be waiting for a connection of an exhausted pool
                    runner.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        private void finish() {
            Deadlines.Watch timer = bound;
            if (timer != null) {
                timer.cancel();
            }
        }
    }

    private static void close(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception ex) {
            log.debug("Giving a connection back failed", ex);
        }
    }

    /** Returns whether a failure has a cause of this type: Spring wraps the exceptions of Jedis. */
    private static boolean causedBy(@Nullable Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
