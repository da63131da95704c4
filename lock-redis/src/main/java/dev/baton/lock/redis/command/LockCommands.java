package dev.baton.lock.redis.command;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockState;
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

/**
 * Operations on locks, carried out by script or by transaction. An operation waits for Redis only if its command names a
 * waiting caller. Thread-safe.
 */
public interface LockCommands {

    /** Returns how operations are carried out, or {@link LockHandler#AUTO} while that is undecided. */
    LockHandler handler();

    /** Returns the traits, as {@link dev.baton.lock.store.LockStore#traits()} does. */
    StoreTraits traits();

    /** Returns the order, as {@link dev.baton.lock.store.LockStore#order()} does. */
    long order();

    CompletableFuture<AcquireReply> acquire(AcquireCommand command);

    CompletableFuture<EndReply> end(EndCommand command);

    CompletableFuture<ExchangeReply> exchange(ExchangeCommand command);

    CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command);

    CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command);

    CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos);

    CompletableFuture<AwaitReply> await(AwaitCommand command);

    CompletableFuture<SignalReply> signal(SignalCommand command);

    CompletableFuture<ExtendReply> extend(ExtendCommand command);

    CompletableFuture<List<List<LockName>>> renew(RenewCommand command);

    CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos);

    CompletableFuture<ScanPage> scan(ScanCommand command);

    CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos);

    CompletableFuture<LockState.Permits> resize(LockName name, int size, long millis, long timeoutNanos);

    /** Returns the time of Redis's clock. */
    CompletableFuture<Instant> time(long timeoutNanos);

    /** Ends commands in progress, and gives back the connections that this object has opened. */
    void close();
}
