package dev.baton.lock.redis.transaction;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockState;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.ServerCheck;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.DowngradeCommand;
import dev.baton.lock.store.DowngradeReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import dev.baton.lock.time.Deadlines;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out lock operations by WATCH, MULTI and EXEC, on its own threads and connections. Retries an operation as
 * long as another client makes a change in between, a bounded number of times. The store's clock bounds each operation,
 * regardless of what its thread waits for.
 */
public final class Transactions implements LockCommands {

    private static final Logger log = LoggerFactory.getLogger(Transactions.class);

    private static final int THREADS = 4;
    private static final int QUEUE = 4096;
    private static final String SCANNED_TOGETHER = "1000";
    private static final int ATTEMPTS = 50;
    /** The number of failed attempts from which on other clients are named as the reason for a time-out. */
    private static final int MANY = 10;

    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long STOP_BOUND_MILLIS = 200;

    private final RedisKeys keys;
    private final String inbox;
    private final RedisFailures failures;
    private final StoreThreads threads;
    private final ServerCheck check;
    private final TransactionConnection.Source connections;
    private final StoreTraits traits;
    private final ThreadPoolExecutor workers = workers();
    private final AtomicLong given = new AtomicLong();

    /**
     * Creates the commands.
     *
     * @param inbox the channel of the process
     * @param traits what the store can do by transaction
     */
    public Transactions(
            RedisKeys keys,
            String inbox,
            RedisFailures failures,
            StoreThreads threads,
            TransactionConnection.Source connections,
            StoreTraits traits) {
        this.keys = keys;
        this.inbox = inbox;
        this.failures = failures;
        this.threads = threads;
        this.check = new ServerCheck(failures);
        this.connections = connections;
        this.traits = traits;
    }

    @Override
    public LockHandler handler() {
        return LockHandler.TRANSACTION;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    private static ThreadPoolExecutor workers() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor workers = new ThreadPoolExecutor(
                THREADS, THREADS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), task -> {
                    Thread thread = new Thread(task, "baton-store-transaction-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
        return workers;
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        if (command.isShared()) {
            return CompletableFuture.failedFuture(exclusiveOnly());
        }
        return submit(
                command.names(),
                command.timeoutNanos(),
                redis -> AcquireTransaction.attempt(redis, keys, command, inbox));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return submit(command.names(), command.timeoutNanos(), redis -> EndTransaction.attempt(redis, keys, command));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return submit(
                command.renewals().get(0).names(),
                command.timeoutNanos(),
                redis -> RenewTransaction.attempt(redis, keys, command));
    }

    /** Sends both commands, one after the other: by transaction, a process does not pass its locks on within itself. */
    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return end(command.end())
                .thenCompose(
                        ended -> acquire(command.acquire()).thenApply(acquired -> new ExchangeReply(ended, acquired)));
    }

    /** Fails: only a request that shares locks is downgraded to, and none can be made. */
    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return CompletableFuture.failedFuture(exclusiveOnly());
    }

    /** Fails: no request takes permits by transaction. */
    @Override
    public CompletableFuture<LockState.Permits> resize(LockName name, int size, long millis, long timeoutNanos) {
        return CompletableFuture.failedFuture(exclusiveOnly());
    }

    /** Fails: transactions have no conditions. */
    @Override
    public CompletableFuture<AwaitReply> await(AwaitCommand command) {
        return CompletableFuture.failedFuture(noConditions());
    }

    /** Fails as {@link #await} does. */
    @Override
    public CompletableFuture<SignalReply> signal(SignalCommand command) {
        return CompletableFuture.failedFuture(noConditions());
    }

    private StoreException noConditions() {
        return new StoreException(String.valueOf(traits.noConditions()), false, true, null);
    }

    private StoreException exclusiveOnly() {
        return new StoreException(traits.exclusiveOnly() + "; use mode EXCLUSIVE", false, true, null);
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        AcquireCommand acquire = command.acquire();
        if (acquire.isShared()) {
            return CompletableFuture.failedFuture(exclusiveOnly());
        }
        return submit(
                acquire.names(),
                acquire.timeoutNanos(),
                redis -> ForceAcquireTransaction.attempt(redis, keys, command));
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return submit(List.of(name), timeoutNanos, redis -> LockTransaction.tellHolder(redis, keys, name));
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return CompletableFuture.completedFuture(ExtendReply.WANTED);
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return submit(List.of(name), timeoutNanos, redis -> InspectTransaction.attempt(redis, keys, name, waiters));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return submit("(none)", "a scan for locks", command.timeoutNanos(), redis -> {
            List<?> page = LockTransaction.list(redis.ask(List.of(List.of(
                            "SCAN",
                            command.cursor(),
                            "MATCH",
                            keys.locks(command.namespace(), command.pattern()),
                            "COUNT",
                            SCANNED_TOGETHER)))
                    .get(0));
            List<String> found = LockTransaction.list(page.get(1)).stream()
                    .map(String::valueOf)
                    .toList();
            return new ScanPage(
                    keys.lockNames(found, command.namespace(), command.pattern()), String.valueOf(page.get(0)));
        });
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return submit(List.of(name), timeoutNanos, redis -> ForceReleaseTransaction.attempt(redis, keys, name));
    }

    /** Returns the time of Redis's clock; changes nothing, but uses a connection for transactions. */
    @Override
    public CompletableFuture<Instant> time(long timeoutNanos) {
        return submit("(none)", "the question for its time", timeoutNanos, redis -> {
            long micros =
                    LockTransaction.micros(redis.ask(List.of(List.of("TIME"))).get(0));
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        });
    }

    /** Returns another number each time: an earlier command may be on another connection, and slower. */
    @Override
    public long order() {
        return given.incrementAndGet();
    }

    /** Lets operations in progress finish for a short time, then interrupts them. */
    @Override
    public void close() {
        workers.shutdown();
        try {
            workers.awaitTermination(STOP_BOUND_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        for (Runnable waiting : workers.shutdownNow()) {
            if (waiting instanceof Call<?> call) {
                call.fail(failures.stopped());
            }
        }
        connections.close();
    }

    private <T> CompletableFuture<T> submit(List<LockName> names, long timeoutNanos, Attempt<T> attempt) {
        String name = names.stream().map(LockName::name).collect(Collectors.joining(", "));
        return submit(name, "a transaction on lock '" + LockNames.printable(name) + "'", timeoutNanos, attempt);
    }

    private <T> CompletableFuture<T> submit(String name, String what, long timeoutNanos, Attempt<T> attempt) {
        Call<T> call = new Call<>(name, what, attempt);
        try {
            call.bound = threads.after(timeoutNanos, () -> call.expire(timeoutNanos));
            workers.execute(call);
        } catch (RejectedExecutionException ex) {
            call.fail(workers.isShutdown() ? failures.stopped() : failures.tooMany(what, QUEUE));
        }
        return call;
    }

    /** One attempt at an operation; returns {@code null} if another client made a change in between. */
    @FunctionalInterface
    private interface Attempt<T> {
        @Nullable
        T at(TransactionConnection redis);
    }

    /** One operation, from its submission until it has been carried out or is given up. */
    private final class Call<T> extends CompletableFuture<T> implements Runnable {

        private final String name;
        /** The description of the operation in messages. */
        private final String what;

        private final Attempt<T> attempt;

        private volatile Deadlines.@Nullable Watch bound;
        private volatile int inVain;
        /** Whether a connection failed after it was asked to change something. */
        private volatile boolean changed;

        /** Keeps an interrupt from hitting the next operation of the thread; held only briefly. */
        private final ReentrantLock lock = new ReentrantLock();

        private @Nullable Thread runner;

        Call(String name, String what, Attempt<T> attempt) {
            this.name = name;
            this.what = what;
            this.attempt = attempt;
        }

        @Override
        public void run() {
            runBy(Thread.currentThread());
            try {
                if (!isDone() && !runOn(new TrackedConnection(connections.open()), false) && !isDone()) {
                    runOn(new TrackedConnection(connections.open()), true);
                }
            } catch (TransactionConnection.RefusedException ex) {
                // Redis refused a command when queueing it, or the transaction as a whole: nothing was carried out
                fail(failures.refused(what, ex, true));
            } catch (StoreException ex) {
                // the lock was read, and cannot be handled
                fail(ex);
            } catch (RuntimeException | Error ex) {
                fail(failures.notReached(ex, changed));
            } finally {
                runBy(null);
                Thread.interrupted();
            }
        }

        /**
         * Runs the operation on a connection. Returns {@code false} if the connection failed before anything was
         * changed, perhaps while idle: another connection may work.
         *
         * @param last whether to throw instead of returning {@code false}
         */
        private boolean runOn(TrackedConnection redis, boolean last) {
            boolean failed = true;
            try {
                check.check((command, args) -> ask(redis, command, args));
                T result = tryOften(redis);
                failed = false;
                if (result == null) {
                    fail(failures.contended(name, ATTEMPTS));
                } else {
                    finish();
                    complete(result);
                }
                return true;
            } catch (TransactionConnection.RefusedException | StoreException ex) {
                throw ex;
            } catch (RuntimeException ex) {
                changed |= redis.mayHaveChanged();
                if (last || changed || Thread.currentThread().isInterrupted()) {
                    throw ex;
                }
                log.debug("A connection to Redis failed before {} changed anything; taking another one", what, ex);
                return false;
            } finally {
                redis.close(failed);
            }
        }

        private static @Nullable Object ask(TransactionConnection redis, String command, String... args) {
            List<String> words =
                    Stream.concat(Stream.of(command), Stream.of(args)).toList();
            return redis.ask(List.of(words)).get(0);
        }

        private @Nullable T tryOften(TransactionConnection redis) {
            for (int i = 1; i <= ATTEMPTS && !isDone(); i++) {
                T result = attempt.at(redis);
                if (result != null) {
                    return result;
                }
                inVain = i;
                long longest = Math.min(LONGEST_PAUSE_NANOS, i * PAUSE_NANOS);
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
            }
            return null;
        }

        private void runBy(@Nullable Thread thread) {
            lock.lock();
            try {
                runner = thread;
            } finally {
                lock.unlock();
            }
        }

        void expire(long timeoutNanos) {
            boolean waiting = workers.remove(this);
            StoreException failure =
                    inVain >= MANY ? failures.contended(name, inVain) : failures.noAnswer(what, timeoutNanos, !waiting);
            if (!completeExceptionally(failure) || waiting) {
                return;
            }
            lock.lock();
            try {
                if (runner != null) {
                    runner.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        void fail(StoreException failure) {
            finish();
            completeExceptionally(failure);
        }

        private void finish() {
            Deadlines.Watch timer = bound;
            if (timer != null) {
                timer.cancel();
            }
        }
    }
}
