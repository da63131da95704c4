package dev.baton.lock.redis.lettuce;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.redis.script.ScriptTransport;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.time.Deadlines;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
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
    public <T> CompletableFuture<T> send(ScriptCall<T> call, long timeoutNanos, @Nullable WaitingCaller caller) {
        Exchange<T> exchange = new Exchange<>(call);
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

    /** One script in progress: EVALSHA, then EVAL if Redis does not know the script (yet, or since a restart). */
    private final class Exchange<T> extends CompletableFuture<T> implements LettuceLink.Sending {

        private final ScriptCall<T> call;

        /** Set once, by the first of two events: the command is given to Lettuce, or it expires and never is. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private volatile long epoch;
        private volatile boolean sent;
        private volatile @Nullable RedisFuture<List<Object>> underWay;
        private volatile Deadlines.@Nullable Watch bound;

        Exchange(ScriptCall<T> call) {
            this.call = call;
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
                String sha1 = call.script().sha1();
                follow(commands.evalsha(sha1, ScriptOutputType.MULTI, call.keys(), call.args()), commands, true);
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
                    call.complete(this, reply);
                } else if (first && unwrap(failure) instanceof RedisNoScriptException && !isDone()) {
                    // commands sent meanwhile overtake this one
                    reorderings.incrementAndGet();
                    byte[] text = call.script().text();
                    follow(commands.eval(text, ScriptOutputType.MULTI, call.keys(), call.args()), commands, false);
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
                completeExceptionally(failures.refused(call.script().file(), cause, epoch == link.epoch()));
            } else {
                link.failed(cause);
                completeExceptionally(failures.notReached(cause, sent));
            }
        }

        void expire(long timeoutNanos) {
            boolean never = decided.compareAndSet(false, true);
            if (completeExceptionally(failures.noAnswer(call.script().file(), timeoutNanos, !never))) {
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
