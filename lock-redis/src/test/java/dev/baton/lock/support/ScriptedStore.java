package dev.baton.lock.support;

import dev.baton.lock.LockState;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.GrantInbox;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.LockStoreAdministration;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store between an engine and its real one that does with commands and messages what a network may: holds them back, carries
 * them out late, loses the answer. It keeps the contract of a store: a command that is not answered fails at its time-out, and
 * the order is another as soon as a command was held back.
 */
final class ScriptedStore implements LockStore, LockStoreAdministration {

    private static final long BOUND_SECONDS = 10;

    final Lane<AcquireCommand, AcquireReply> acquires;
    final Lane<EndCommand, EndReply> ends;
    final Lane<ExchangeCommand, ExchangeReply> exchanges;
    final Lane<RenewCommand, List<List<LockName>>> renewals;
    final Lane<ExtendCommand, ExtendReply> extensions;
    /** Messages that are held back. */
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

    private final AtomicLong heldBack = new AtomicLong();
    private final LockStore store;
    private volatile boolean holdMessages;
    private volatile boolean subscriptionLate;
    private volatile @Nullable GrantInbox inbox;

    ScriptedStore(LockStore store) {
        this.store = store;
        this.acquires = new Lane<>(store::acquire, AcquireCommand::timeoutNanos);
        this.ends = new Lane<>(store::end, EndCommand::timeoutNanos);
        this.exchanges = new Lane<>(store::exchange, command -> command.end().timeoutNanos());
        this.renewals = new Lane<>(store::renew, RenewCommand::timeoutNanos);
        this.extensions = new Lane<>(store::extend, ExtendCommand::timeoutNanos);
    }

    /** From now on messages are held back until they are delivered one by one; one that never is, is lost. */
    void holdMessages() {
        holdMessages = true;
    }

    /** From now on the subscription is not there yet. */
    void subscriptionIsLate() {
        subscriptionLate = true;
    }

    /** It stands, and the engine is told. */
    void subscriptionStands() {
        subscriptionLate = false;
        Objects.requireNonNull(inbox).listening();
    }

    /** The next message that was held back. */
    Message nextMessage() {
        return next(messages, "message");
    }

    @Override
    public void start(String instance, GrantInbox inbox) {
        this.inbox = inbox;
        store.start(instance, new GrantInbox() {
            @Override
            public void granted(List<LockName> names, String id, long token) {
                if (holdMessages) {
                    messages.add(new Message(inbox, names, id, token));
                } else {
                    inbox.granted(names, id, token);
                }
            }

            @Override
            public void revoked(List<LockName> names, String id, long token) {
                inbox.revoked(names, id, token);
            }

            @Override
            public void listening() {
                inbox.listening();
            }
        });
    }

    @Override
    public void stop() {
        store.stop();
    }

    @Override
    public long order() {
        return store.order() + heldBack.get();
    }

    @Override
    public boolean isListening() {
        return !subscriptionLate && store.isListening();
    }

    @Override
    public void listenAgain() {
        store.listenAgain();
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        return acquires.send(command);
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        return ends.send(command);
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        return exchanges.send(command);
    }

    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return extensions.send(command);
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public LockStoreAdministration administration() {
        return this;
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return renewals.send(command);
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return store.administration().inspect(name, waiters, timeoutNanos);
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return store.administration().scan(command);
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return store.administration().forceRelease(name, timeoutNanos);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public List<String> keys(LockName name) {
        return store.keys(name);
    }

    private static <T> T next(BlockingQueue<T> queue, String what) {
        try {
            return Objects.requireNonNull(
                    queue.poll(BOUND_SECONDS, TimeUnit.SECONDS), "no " + what + " within " + BOUND_SECONDS + " s");
        } catch (InterruptedException ex) {
            throw new IllegalStateException("interrupted while waiting for a " + what, ex);
        }
    }

    /** A grant on its way. */
    record Message(GrantInbox inbox, List<LockName> names, String id, long token) {

        /** Delivers it, perhaps once more. */
        void deliver() {
            inbox.granted(names, id, token);
        }
    }

    /** Commands of one kind. */
    final class Lane<C, R> {

        private final BlockingQueue<Parcel<C, R>> held = new LinkedBlockingQueue<>();
        private final AtomicInteger sent = new AtomicInteger();
        private final Function<C, CompletableFuture<R>> real;
        private final ToLongFunction<C> timeout;
        private volatile boolean hold;

        private Lane(Function<C, CompletableFuture<R>> real, ToLongFunction<C> timeout) {
            this.real = real;
            this.timeout = timeout;
        }

        /** From now on commands do not reach Redis before they are told to. */
        void hold() {
            hold = true;
        }

        /** From now on commands pass again; those that are held back stay so. */
        void pass() {
            hold = false;
        }

        /** The next command that was held back. */
        Parcel<C, R> next() {
            return ScriptedStore.next(held, "command");
        }

        /** How many commands the engine has given, those held back included. */
        int sent() {
            return sent.get();
        }

        private CompletableFuture<R> send(C command) {
            sent.incrementAndGet();
            if (!hold) {
                return real.apply(command);
            }
            Parcel<C, R> parcel = new Parcel<>(command, real);
            CompletableFuture.delayedExecutor(timeout.applyAsLong(command), TimeUnit.NANOSECONDS)
                    .execute(parcel::timeOut);
            heldBack.incrementAndGet();
            held.add(parcel);
            return parcel.promised;
        }
    }

    /** A command on its way. */
    static final class Parcel<C, R> {

        final C command;
        /** When the engine gave it. */
        final long sentAt = System.nanoTime();

        private final CompletableFuture<R> promised = new CompletableFuture<>();
        private final Function<C, CompletableFuture<R>> real;

        private Parcel(C command, Function<C, CompletableFuture<R>> real) {
            this.command = command;
            this.real = real;
        }

        /** Redis carries it out now, and its answer is held back; returns that answer. */
        R carryOut() {
            return real.apply(command)
                    .orTimeout(Duration.ofSeconds(BOUND_SECONDS).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }

        /** The engine gets this answer, unless it has given up. */
        void answer(R reply) {
            promised.complete(reply);
        }

        /** Redis carries it out now, and answers. */
        void pass() {
            answer(carryOut());
        }

        /** The engine gets no answer any more. */
        void timeOut() {
            promised.completeExceptionally(new StoreException("no answer, on purpose", true, null));
        }
    }
}
