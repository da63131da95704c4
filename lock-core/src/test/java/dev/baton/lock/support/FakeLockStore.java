package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.awaitility.Awaitility;

/** A store that keeps each command until the test takes and answers it. */
public final class FakeLockStore implements LockStore, LockStoreAdministration {

    public final BlockingQueue<Sent<AcquireCommand, AcquireReply>> acquires = new LinkedBlockingQueue<>();
    public final BlockingQueue<Sent<EndCommand, EndReply>> ends = new LinkedBlockingQueue<>();
    public final BlockingQueue<Sent<ExchangeCommand, ExchangeReply>> exchanges = new LinkedBlockingQueue<>();
    public final BlockingQueue<Sent<RenewCommand, List<List<LockName>>>> renewals = new LinkedBlockingQueue<>();
    final BlockingQueue<Sent<DowngradeCommand, DowngradeReply>> downgrades = new LinkedBlockingQueue<>();
    final BlockingQueue<Sent<AwaitCommand, AwaitReply>> awaits = new LinkedBlockingQueue<>();
    public final BlockingQueue<Sent<ForceAcquireCommand, ForceAcquireReply>> forced = new LinkedBlockingQueue<>();
    final BlockingQueue<Sent<LockName, Integer>> hints = new LinkedBlockingQueue<>();
    final BlockingQueue<Sent<ExtendCommand, ExtendReply>> extensions = new LinkedBlockingQueue<>();
    final BlockingQueue<Sent<LockName, LockState>> inspections = new LinkedBlockingQueue<>();
    public final AtomicInteger listenedAnew = new AtomicInteger();

    /** Whether commands run in the order in which they are sent. */
    public volatile boolean ordered = true;

    /** Whether the store reserves tokens, so that requests of one process may share a ticket. */
    public volatile boolean reserving;

    /** Whether requests may share locks. */
    public volatile boolean sharing;

    /** Whether requests may await conditions. */
    volatile boolean conditions;

    /** Handles each acquire in the thread that sends it; without an effect unless a test sets it. */
    public volatile Consumer<Sent<AcquireCommand, AcquireReply>> onAcquire = sent -> {};

    public volatile String namespace = "";

    /** Which part of the store keeps a lock. */
    public volatile ToIntFunction<LockName> shards = name -> 0;

    public volatile boolean listening = true;
    public volatile boolean stopped;

    private final AtomicLong order = new AtomicLong();

    /** A command without an answer yet. */
    public record Sent<C, R>(C command, CompletableFuture<R> future) {

        public void answer(R reply) {
            future.complete(reply);
        }

        public void fail(Throwable failure) {
            future.completeExceptionally(failure);
        }
    }

    @Override
    public int shard(LockName name) {
        return shards.applyAsInt(name);
    }

    public Sent<AcquireCommand, AcquireReply> nextAcquire() {
        return next(acquires, "an acquire");
    }

    public Sent<EndCommand, EndReply> nextEnd() {
        return next(ends, "an end");
    }

    public Sent<ExchangeCommand, ExchangeReply> nextExchange() {
        return next(exchanges, "an exchange");
    }

    public Sent<RenewCommand, List<List<LockName>>> nextRenewal() {
        return next(renewals, "a renewal");
    }

    Sent<DowngradeCommand, DowngradeReply> nextDowngrade() {
        return next(downgrades, "a downgrade");
    }

    Sent<AwaitCommand, AwaitReply> nextAwait() {
        return next(awaits, "a wait at a condition");
    }

    Sent<ForceAcquireCommand, ForceAcquireReply> nextForced() {
        return next(forced, "a forced acquire");
    }

    Sent<LockName, Integer> nextHint() {
        return next(hints, "a hint that a lock is wanted");
    }

    /** Returns the failure of a store that does not override the operation. */
    Throwable unsupported(ForceAcquireCommand command) {
        return LockStore.super
                .forceAcquire(command)
                .handle((reply, failure) -> failure)
                .join();
    }

    Sent<ExtendCommand, ExtendReply> nextExtending() {
        return next(extensions, "a question whether others wait");
    }

    Sent<LockName, LockState> nextInspection() {
        return next(inspections, "an inspection");
    }

    /** Waits until the sender is ready, so that an answer takes effect before {@link Sent#answer} returns. */
    private static <C, R> Sent<C, R> next(BlockingQueue<Sent<C, R>> commands, String what) {
        try {
            Sent<C, R> next = commands.poll(5, TimeUnit.SECONDS);
            assertThat(next).as("%s is sent within 5 s", what).isNotNull();
            Awaitility.await()
                    .pollInterval(Duration.ofNanos(100_000))
                    .until(() -> next.future().getNumberOfDependents() > 0);
            return next;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + what, ex);
        }
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        Sent<AcquireCommand, AcquireReply> sent = new Sent<>(command, new CompletableFuture<>());
        onAcquire.accept(sent);
        acquires.add(sent);
        return sent.future();
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        return keep(forced, command);
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return keep(hints, name);
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return keep(ends, command);
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return keep(exchanges, command);
    }

    @Override
    public StoreTraits traits() {
        StoreTraits traits = reserving ? StoreTraits.GRANT.withReservedTokens() : StoreTraits.GRANT;
        StoreTraits shared = sharing ? traits.withSharedLocks() : traits;
        return conditions ? shared.withConditions() : shared;
    }

    @Override
    public LockStoreAdministration administration() {
        return this;
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return keep(renewals, command);
    }

    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return keep(downgrades, command);
    }

    @Override
    public CompletableFuture<AwaitReply> await(AwaitCommand command) {
        return keep(awaits, command);
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return keep(extensions, command);
    }

    private static <C, R> CompletableFuture<R> keep(BlockingQueue<Sent<C, R>> commands, C command) {
        Sent<C, R> sent = new Sent<>(command, new CompletableFuture<>());
        commands.add(sent);
        return sent.future();
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        stopped = false;
    }

    @Override
    public void stop() {
        stopped = true;
    }

    /** Loses the connection: the store may run unanswered commands at any time, perhaps twice. */
    public void loseConnection() {
        order.incrementAndGet();
    }

    @Override
    public long order() {
        return ordered ? order.get() : order.incrementAndGet();
    }

    @Override
    public boolean isListening() {
        return listening;
    }

    @Override
    public void listenAgain() {
        listenedAnew.incrementAndGet();
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return keep(inspections, name);
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        throw new UnsupportedOperationException("the engine itself does not look at locks");
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        throw new UnsupportedOperationException("the engine itself takes no lock away");
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public String describe() {
        return "the fake store";
    }

    @Override
    public List<String> keys(LockName name) {
        return List.of("fake:" + name.name());
    }
}
