package dev.baton.lock.redis.jedis;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.LuaScript;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.time.Deadlines;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Jedis, which blocks: on threads of ours, each command on a connection borrowed from the factory itself. Never through a
 * template: inside an application's Redis transaction or pipeline that would queue the script instead of running it.
 *
 * <p>The clock of the store bounds a command, whatever its thread waits for. One that is over before it has a thread and a
 * connection of the pool is never sent.
 */
public final class JedisTransport implements ScriptTransport {

    /** Leaves the subscription one of the eight connections that a pool has unless configured. */
    static final int THREADS = 7;

    static final int QUEUE = 4096;

    private static final Logger log = LoggerFactory.getLogger(JedisTransport.class);

    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long STOP_BOUND_MILLIS = 200;

    private final RedisConnectionFactory factory;
    private final RedisFailures failures;
    private final StoreThreads threads;
    private final ThreadPoolExecutor workers;
    private final AtomicLong given = new AtomicLong();

    public JedisTransport(RedisConnectionFactory factory, RedisFailures failures, StoreThreads threads) {
        this.factory = factory;
        this.failures = failures;
        this.threads = threads;
        this.workers = workers();
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
    public CompletableFuture<List<Object>> send(
            LuaScript script, List<String> keys, List<String> args, long timeoutNanos) {
        Exchange exchange = new Exchange(script, keys, args);
        try {
            exchange.boundBy(threads.after(timeoutNanos, () -> exchange.expire(timeoutNanos)));
            workers.execute(exchange);
        } catch (RejectedExecutionException ex) {
            exchange.finish();
            exchange.completeExceptionally(
                    workers.isShutdown() ? failures.stopped() : failures.tooMany(script.file(), QUEUE));
        }
        return exchange;
    }

    /** Jedis sends nothing twice. */
    @Override
    public long epoch() {
        return 0;
    }

    /** What has been given earlier may be on another connection, and slower. */
    @Override
    public long order() {
        return given.incrementAndGet();
    }

    /** What is under way comes to its end, or is interrupted where it waits for a connection. */
    @Override
    public void close() {
        workers.shutdown();
        try {
            if (workers.awaitTermination(STOP_BOUND_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        for (Runnable waiting : workers.shutdownNow()) {
            if (waiting instanceof Exchange exchange) {
                exchange.finish();
                exchange.completeExceptionally(failures.stopped());
            }
        }
    }

    /** One script under way: EVALSHA, then EVAL if Redis does not know it (yet, or since a restart). */
    private final class Exchange extends CompletableFuture<List<Object>> implements Runnable {

        private final LuaScript script;
        private final int keys;
        private final byte[][] keysAndArgs;

        private volatile Deadlines.@Nullable Watch bound;

        /** Keeps an interrupt from hitting the next command of the thread; held for moments only. */
        private final ReentrantLock lock = new ReentrantLock();

        private @Nullable Thread runner;
        /** Set once, by what comes first: it is sent, or it expires and never is. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private volatile boolean sent;

        Exchange(LuaScript script, List<String> keys, List<String> args) {
            List<String> all = new ArrayList<>(keys);
            all.addAll(args);
            this.script = script;
            this.keys = keys.size();
            this.keysAndArgs = all.stream()
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
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
                    complete(reply);
                }
            } catch (RuntimeException | Error ex) {
                finish();
                completeExceptionally(
                        causedBy(ex, JedisDataException.class)
                                ? failures.refused(script.file(), ex, true)
                                : failures.notReached(ex, sent));
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

        /** Null: it has expired before it was sent, and what made it expire completes it. */
        private @Nullable List<Object> ask() {
            RedisConnection connection = factory.getConnection();
            try {
                if (!decided.compareAndSet(false, true)) {
                    return null;
                }
                sent = true;
                return ask(connection.scriptingCommands());
            } finally {
                close(connection);
            }
        }

        private List<Object> ask(RedisScriptingCommands commands) {
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
                throw new IllegalStateException(script.name() + ".lua answered nothing");
            }
            return reply;
        }

        void expire(long timeoutNanos) {
            boolean never = decided.compareAndSet(false, true);
            if (!completeExceptionally(failures.noAnswer(script.file(), timeoutNanos, !never))
                    || workers.remove(this)) {
                return;
            }
            lock.lock();
            try {
                if (runner != null) {
                    // it may be waiting for a pool that is exhausted
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

    private static void close(RedisConnection connection) {
        try {
            connection.close();
        } catch (RuntimeException ex) {
            log.debug("Giving a connection back failed", ex);
        }
    }

    /** Spring wraps what Jedis throws. */
    private static boolean causedBy(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
