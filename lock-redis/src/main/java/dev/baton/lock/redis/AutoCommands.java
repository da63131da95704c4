package dev.baton.lock.redis;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockState;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.redis.key.RedisFailures;
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
import dev.baton.lock.store.StoreTraits;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out operations by script, or by transaction if Redis refuses scripts. The first script that succeeds, or that
 * Redis refuses to run, decides for the whole session. Until then, commands are sent as scripts. Thread-safe.
 */
final class AutoCommands implements LockCommands {

    private static final Logger log = LoggerFactory.getLogger(AutoCommands.class);

    private final LockCommands scripts;
    private final Supplier<LockCommands> begin;
    /** Guards the decision; held only briefly. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean decided;
    private volatile @Nullable LockCommands transactions;

    /**
     * Creates the commands.
     *
     * @param begin the supplier of the commands by transaction, called at most once
     */
    AutoCommands(LockCommands scripts, Supplier<LockCommands> begin) {
        this.scripts = scripts;
        this.begin = begin;
    }

    private LockCommands current() {
        LockCommands begun = transactions;
        return begun == null ? scripts : begun;
    }

    /**
     * Sends a command by script until the handler is decided, and repeats the command by transaction if Redis refuses
     * scripts.
     */
    private <T> CompletableFuture<T> decide(Function<LockCommands, CompletableFuture<T>> command) {
        if (decided) {
            return command.apply(current());
        }
        CompletableFuture<T> byScript = command.apply(scripts);
        CompletableFuture<CompletableFuture<T>> answered = byScript.handle((answer, failure) -> {
            if (failure == null) {
                decideForScripts();
            } else if (isOpenOrByTransaction() && RedisFailures.areScriptsRefused(failure)) {
                return command.apply(decideForTransactions(failure));
            }
            return byScript;
        });
        return answered.thenCompose(Function.identity());
    }

    /**
     * Returns whether a refused script can be repeated by transaction. Several commands may be in progress when Redis
     * refuses the first one.
     */
    private boolean isOpenOrByTransaction() {
        return !decided || transactions != null;
    }

    private void decideForScripts() {
        lock.lock();
        try {
            decided = true;
        } finally {
            lock.unlock();
        }
    }

    private LockCommands decideForTransactions(Throwable refusal) {
        lock.lock();
        try {
            LockCommands begun = transactions;
            if (begun == null) {
                log.warn(
                        "Redis refuses to run scripts for this user ({}): from now on locks are acquired by transaction;"
                                + " give the user the right '+@scripting', or set baton.handler to transaction",
                        RedisFailures.rootMessage(refusal));
                begun = begin.get();
                transactions = begun;
                decided = true;
            }
            return begun;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public LockHandler handler() {
        return decided ? current().handler() : LockHandler.AUTO;
    }

    /** Returns the traits of the commands in use, or those of scripts while the choice is open. */
    @Override
    public StoreTraits traits() {
        return current().traits();
    }

    /** Includes the order of the scripts: those sent before the decision may still be in progress. */
    @Override
    public long order() {
        LockCommands begun = transactions;
        return begun == null ? scripts.order() : scripts.order() + begun.order();
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        return decide(commands -> commands.acquire(command));
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return decide(commands -> commands.end(command));
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return current().exchange(command);
    }

    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return current().downgrade(command);
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        return decide(commands -> commands.forceAcquire(command));
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return current().tellHolders(name, timeoutNanos);
    }

    @Override
    public CompletableFuture<AwaitReply> await(AwaitCommand command) {
        return current().await(command);
    }

    @Override
    public CompletableFuture<SignalReply> signal(SignalCommand command) {
        return current().signal(command);
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return current().extend(command);
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return decide(commands -> commands.renew(command));
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return decide(commands -> commands.inspect(name, waiters, timeoutNanos));
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return decide(commands -> commands.scan(command));
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return decide(commands -> commands.forceRelease(name, timeoutNanos));
    }

    @Override
    public CompletableFuture<LockState.Permits> resize(LockName name, int size, long millis, long timeoutNanos) {
        return decide(commands -> commands.resize(name, size, millis, timeoutNanos));
    }

    @Override
    public CompletableFuture<Instant> time(long timeoutNanos) {
        return decide(commands -> commands.time(timeoutNanos));
    }

    @Override
    public void close() {
        LockCommands begun = transactions;
        if (begun != null) {
            begun.close();
        }
    }
}
