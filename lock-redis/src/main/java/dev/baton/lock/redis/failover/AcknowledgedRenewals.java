package dev.baton.lock.redis.failover;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.script.ScriptCall;
import dev.baton.lock.redis.script.ScriptCommands;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.time.Deadlines;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases, or only asks about them, and waits until replicas have all that the primary had by then ({@code WAIT}).
 * {@code WAIT} blocks its connection, so these commands have threads and connections of their own. Thread-safe.
 */
public final class AcknowledgedRenewals implements GrantConfirmation {

    private static final int THREADS = 8;
    private static final int QUEUE = 4096;
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How late Redis ends a WAIT. It ends before the command, so that Redis says how many replicas have acknowledged. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final String NO_SCRIPT = "NOSCRIPT";

    private final int replicas;
    private final ScriptCommands scripts;
    private final Primaries primaries;
    private final RedisFailures failures;
    private final StoreThreads threads;
    private final ThreadPoolExecutor workers = workers();

    /**
     * Creates the renewals.
     *
     * @param replicas how many replicas have to acknowledge, positive
     */
    public AcknowledgedRenewals(
            int replicas, ScriptCommands scripts, Primaries primaries, RedisFailures failures, StoreThreads threads) {
        this.replicas = replicas;
        this.scripts = scripts;
        this.primaries = primaries;
        this.failures = failures;
        this.threads = threads;
    }

    private static ThreadPoolExecutor workers() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                THREADS, THREADS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), task -> {
                    Thread thread = new Thread(task, "baton-store-replicas-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }

    /**
     * Renews leases as {@link dev.baton.lock.store.LockStore#renew} does. Fails if too few replicas have acknowledged the
     * renewal in time, although the primary has carried it out.
     */
    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        CompletableFuture<List<List<LockName>>> future = new CompletableFuture<>();
        long begun = System.nanoTime();
        try {
            Deadlines.Watch bound = threads.after(
                    command.timeoutNanos(),
                    () -> future.completeExceptionally(
                            failures.noAnswer("WAIT for " + replicas + " replicas", command.timeoutNanos(), true)));
            future.whenComplete((renewed, failure) -> bound.cancel());
            workers.execute(() -> carryOut(command, begun, future));
        } catch (RejectedExecutionException ex) {
            future.completeExceptionally(workers.isShutdown() ? failures.stopped() : failures.tooMany("WAIT", QUEUE));
        }
        return future;
    }

    /**
     * Completes when so many replicas have the grants of these requests. Fails if a request does not hold its locks on the
     * primary that was asked, which may have been a replica a moment ago.
     */
    @Override
    public CompletableFuture<?> confirm(List<Renewal> grants, long timeoutNanos) {
        return renew(new RenewCommand(grants, Math.max(1, timeoutNanos))).thenAccept(missing -> {
            for (List<LockName> lost : missing) {
                if (!lost.isEmpty()) {
                    throw new StoreException(
                            "the primary no longer has the grant of " + lost
                                    + ", which no replica has acknowledged: it was replaced, or the grant has ended",
                            true,
                            null);
                }
            }
        });
    }

    private void carryOut(RenewCommand command, long begun, CompletableFuture<List<List<LockName>>> future) {
        while (!future.isDone()) {
            try {
                future.complete(attempt(command, begun));
            } catch (TransactionConnection.RefusedException ex) {
                if (RedisFailures.isMoving(ex)) {
                    primaries.troubled();
                    LockSupport.parkNanos(AGAIN_NANOS);
                } else {
                    future.completeExceptionally(failures.refused("renew.lua", ex, true));
                }
            } catch (RuntimeException | Error ex) {
                primaries.troubled();
                future.completeExceptionally(failures.notReached(ex, true));
            }
        }
    }

    private List<List<LockName>> attempt(RenewCommand command, long begun) {
        TransactionConnection.Source source =
                primaries.connections(command.renewals().get(0).names().get(0));
        if (source == null) {
            throw failures.unknownSlots(null);
        }
        ScriptCall<List<List<LockName>>> call = scripts.renewal(command);
        TransactionConnection connection = source.open();
        boolean failed = true;
        try {
            List<@Nullable Object> answers = ask(connection, call, command, begun);
            failed = false;
            return read(call, answers, command);
        } finally {
            connection.close(failed);
        }
    }

    private List<@Nullable Object> ask(
            TransactionConnection connection, ScriptCall<?> call, RenewCommand command, long begun) {
        long remaining = command.timeoutNanos() - (System.nanoTime() - begun);
        long left = Math.max(remaining / 2, remaining - LATE_NANOS);
        List<String> wait = List.of(
                "WAIT", Integer.toString(replicas), Long.toString(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left))));
        try {
            return connection.ask(List.of(script("EVALSHA", call.script().sha1(), call), wait));
        } catch (TransactionConnection.RefusedException ex) {
            if (!RedisFailures.rootMessage(ex).startsWith(NO_SCRIPT)) {
                throw ex;
            }
            String text = new String(call.script().text(), StandardCharsets.UTF_8);
            return connection.ask(List.of(script("EVAL", text, call), wait));
        }
    }

    private static List<String> script(String command, String script, ScriptCall<?> call) {
        List<String> words = new ArrayList<>(List.of(command, script, Integer.toString(call.keys().length)));
        for (byte[] word : call.keysAndArgs()) {
            words.add(new String(word, StandardCharsets.UTF_8));
        }
        return words;
    }

    private List<List<LockName>> read(
            ScriptCall<List<List<LockName>>> call, List<@Nullable Object> answers, RenewCommand command) {
        if (!(answers.get(0) instanceof List<?> reply) || !(answers.get(1) instanceof Long acknowledged)) {
            throw new IllegalStateException("WAIT or its script answered something else: " + answers);
        }
        List<List<LockName>> missing = call.reader().apply(new ArrayList<>(reply));
        boolean allLost = missing.stream().noneMatch(List::isEmpty);
        if (acknowledged < replicas && !allLost) {
            throw new StoreException(
                    "only " + acknowledged + " of " + replicas + " replicas of Redis at " + failures.address()
                            + " acknowledged within "
                            + TimeUnit.NANOSECONDS.toMillis(command.timeoutNanos())
                            + " ms: check that they follow (INFO replication), or lower baton.replicas-to-ack",
                    true,
                    null);
        }
        return missing;
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
