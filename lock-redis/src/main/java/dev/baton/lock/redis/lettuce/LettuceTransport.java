package dev.baton.lock.redis.lettuce;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.LuaScript;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.time.Deadlines;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends scripts by Lettuce's native asynchronous commands, on a connection from the factory itself. Never uses a
 * template: inside an application's Redis transaction or pipeline, a template would queue the script instead of running
 * it.
 */
public final class LettuceTransport implements ScriptTransport {

    private final LettuceLink link;
    private final RedisFailures failures;
    private final StoreThreads threads;
    private final AtomicLong reorderings = new AtomicLong();

    public LettuceTransport(LettuceLink link, RedisFailures failures, StoreThreads threads) {
        this.link = link;
        this.failures = failures;
        this.threads = threads;
    }

    @Override
    public CompletableFuture<List<Object>> send(
            LuaScript script, List<String> keys, List<String> args, long timeoutNanos) {
        Exchange exchange = new Exchange(script, bytes(keys), bytes(args));
        try {
            exchange.boundBy(threads.after(timeoutNanos, () -> exchange.expire(timeoutNanos)));
        } catch (RejectedExecutionException ex) {
            return CompletableFuture.failedFuture(failures.stopped());
        }
        link.send(exchange);
        return exchange;
    }

    @Override
    public long epoch() {
        return link.epoch();
    }

    @Override
    public long order() {
        return link.epoch() + reorderings.get();
    }

    @Override
    public void close() {
        link.close();
    }

    private static byte[][] bytes(List<String> texts) {
        byte[][] bytes = new byte[texts.size()][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = texts.get(i).getBytes(StandardCharsets.UTF_8);
        }
        return bytes;
    }

    /** One script in progress: EVALSHA, then EVAL if Redis does not know the script (yet, or since a restart). */
    private final class Exchange extends CompletableFuture<List<Object>> implements LettuceLink.Sending {

        private final LuaScript script;
        private final byte[][] keys;
        private final byte[][] args;

        /** Set once, by the first of two events: the command is given to Lettuce, or it expires and never is. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private volatile long epoch;
        private volatile boolean sent;
        private volatile @Nullable RedisFuture<List<Object>> underWay;
        private volatile Deadlines.@Nullable Watch bound;

        Exchange(LuaScript script, byte[][] keys, byte[][] args) {
            this.script = script;
            this.keys = keys;
            this.args = args;
        }

        void boundBy(Deadlines.Watch timer) {
            bound = timer;
        }

        @Override
        public void start(RedisScriptingAsyncCommands<byte[], byte[]> commands) {
            if (!decided.compareAndSet(false, true)) {
                return;
            }
            epoch = link.epoch();
            sent = true;
            try {
                follow(commands.evalsha(script.sha1(), ScriptOutputType.MULTI, keys, args), commands, true);
            } catch (RuntimeException ex) {
                fail(ex);
            }
        }

        private void follow(
                RedisFuture<List<Object>> future, RedisScriptingAsyncCommands<byte[], byte[]> commands, boolean first) {
            underWay = future;
            if (isDone()) {
                // the command has expired meanwhile: if it is not written yet, it must never be
                future.cancel(true);
            }
            future.whenComplete((reply, failure) -> {
                if (failure == null) {
                    finish();
                    complete(reply);
                } else if (first && unwrap(failure) instanceof RedisNoScriptException && !isDone()) {
                    // commands sent meanwhile overtake this one
                    reorderings.incrementAndGet();
                    follow(commands.eval(script.text(), ScriptOutputType.MULTI, keys, args), commands, false);
                } else {
                    fail(failure);
                }
            });
        }

        @Override
        public void fail(Throwable failure) {
            Throwable cause = unwrap(failure);
            finish();
            if (cause instanceof RedisCommandExecutionException) {
                // Lettuce repeats commands in progress when a connection breaks: Redis may have carried out the first
                completeExceptionally(failures.refused(script.file(), cause, epoch == link.epoch()));
            } else {
                link.failed(cause);
                completeExceptionally(failures.notReached(cause, sent));
            }
        }

        void expire(long timeoutNanos) {
            boolean never = decided.compareAndSet(false, true);
            if (completeExceptionally(failures.noAnswer(script.file(), timeoutNanos, !never))) {
                RedisFuture<List<Object>> future = underWay;
                if (future != null) {
                    future.cancel(true);
                }
            }
        }

        private void finish() {
            Deadlines.Watch timer = bound;
            if (timer != null) {
                timer.cancel();
            }
        }

        private static Throwable unwrap(Throwable failure) {
            return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        }
    }
}
