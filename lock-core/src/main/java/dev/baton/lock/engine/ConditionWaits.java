package dev.baton.lock.engine;

import dev.baton.lock.LockException;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.engine.ConditionEntry.Begun;
import dev.baton.lock.engine.ConditionEntry.Entered;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.store.AcquireReply.Awaited;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.time.KeptInterrupt;
import dev.baton.lock.time.TimeSource;
import dev.baton.lock.time.Uninterruptibly;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/*
 * Overview. A wait has three steps:
 *
 *    1. the store lets the ticket await the condition         within two command time-outs
 *    2. the ticket leaves the condition: signal, time, interrupt, or a lost place     as long as the caller says
 *    3. the lock comes back                                                           as long as the caller says
 *
 * The end of the second step is decided by one answer of the store. If that answer is lost, the ticket counts as signalled: a
 * spurious wake-up costs little, a signal that is spent on a caller that does not return from its wait costs a wake-up.
 */
/** Awaits conditions on behalf of threads, and signals them. Thread-safe. */
final class ConditionWaits {

    private final LockStore store;
    private final EngineSettings settings;
    private final TimeSource time;
    private final AcquireDispatcher dispatcher;
    private final ConditionEntry entry;
    private final GrantWait waits;

    ConditionWaits(
            LockStore store,
            EngineSettings settings,
            TimeSource time,
            AcquireDispatcher dispatcher,
            ConditionEntry entry,
            GrantWait waits) {
        this.store = store;
        this.settings = settings;
        this.time = time;
        this.dispatcher = dispatcher;
        this.entry = entry;
        this.waits = waits;
    }

    /** How the second step ended, as the calling thread sees it. */
    private sealed interface Ended {

        /** The store says that the ticket has left the condition, or has granted the lock. */
        record Woken() implements Ended {}

        record Late() implements Ended {}

        record Interrupted(InterruptedException cause) implements Ended {}
    }

    /** As {@link Conditions#await} says. */
    @Nullable
    AwaitOutcome await(Acquisition holder, Grant grant, AwaitRequest request) {
        long beganAt = time.nanoTime();
        Entered entered = entry.enter(holder, grant, request.back(), request.condition());
        Acquisition waiter = entered.waiter();
        KeptInterrupt interrupt = new KeptInterrupt();
        try {
            Begun begun = Uninterruptibly.await(entered.begun(), 3 * settings.commandTimeoutNanos());
            if (begun == Begun.LOST) {
                giveUp(waiter);
                return null;
            }
            if (begun == null && giveUp(waiter)) {
                throw waits.failed(waiter);
            }
            Ended ended = awaitSignal(entered, request, beganAt, interrupt);
            CompletableFuture<?> asked = null;
            if (!(ended instanceof Ended.Woken)) {
                asked = dispatcher.stopAwaiting(waiter.ticket());
            }
            awaitLock(waiter, request.backNanos(), interrupt);
            if (asked != null) {
                Uninterruptibly.await(asked, settings.commandTimeoutNanos());
            }
            boolean unsignalled = entered.atCondition().left.getNow(Awaited.SIGNALLED) == Awaited.ASKS;
            return new AwaitOutcome(
                    waiter,
                    !(ended instanceof Ended.Late && unsignalled),
                    ended instanceof Ended.Interrupted one && unsignalled ? one.cause() : null);
        } finally {
            interrupt.giveBack();
        }
    }

    /** Waits until the ticket has left its condition, the time is over, or an interrupt ends the wait. */
    private Ended awaitSignal(Entered entered, AwaitRequest request, long beganAt, KeptInterrupt interrupt) {
        CompletableFuture<Object> woken = CompletableFuture.anyOf(entered.waiter().settled, entered.atCondition().left);
        while (true) {
            try {
                if (request.unbounded()) {
                    woken.get();
                } else {
                    time.await(woken, request.nanos() - (time.nanoTime() - beganAt));
                }
                return new Ended.Woken();
            } catch (InterruptedException ex) {
                interrupt.take();
                if (request.interruptible()) {
                    return new Ended.Interrupted(ex);
                }
            } catch (TimeoutException ex) {
                return new Ended.Late();
            } catch (ExecutionException ex) {
                throw new IllegalStateException("a wait at a condition ends normally, always", ex);
            }
        }
    }

    /** Waits until the lock is back. Returns also if it was lost again at once. */
    private void awaitLock(Acquisition waiter, @Nullable Long bound, KeptInterrupt interrupt) {
        long from = time.nanoTime();
        while (true) {
            try {
                Outcome settled = bound == null
                        ? waiter.settled.get()
                        : time.await(waiter.settled, bound - (time.nanoTime() - from));
                LockException failure = waits.of(waiter, settled);
                if (failure != null && giveUp(waiter)) {
                    throw failure;
                }
                return;
            } catch (InterruptedException ex) {
                interrupt.take();
            } catch (TimeoutException ex) {
                Duration waited = Duration.ofNanos(time.nanoTime() - from);
                if (giveUp(waiter)) {
                    throw waits.late(waiter, waited);
                }
                return;
            } catch (ExecutionException ex) {
                throw new IllegalStateException("an acquisition settles normally, always", ex);
            }
        }
    }

    /** Gives up waiting. Returns {@code false} if the lock came back, perhaps at the very last moment. */
    private boolean giveUp(Acquisition waiter) {
        if (!waiter.giveUp(time.nanoTime())) {
            return false;
        }
        waiter.fail();
        dispatcher.giveUp(waiter.ticket());
        return true;
    }

    /** As {@link Conditions#signal} says. */
    boolean signal(LockName name, String id, String condition, boolean all, String owner) {
        int most = all ? SignalCommand.MOST : 1;
        while (true) {
            CompletableFuture<SignalReply> answer =
                    store.signal(new SignalCommand(name, id, condition, most, owner, settings.commandTimeoutNanos()));
            SignalReply reply = Uninterruptibly.await(answer, settings.commandTimeoutNanos());
            if (reply == null) {
                throw unsignalled(name, condition, answer);
            }
            if (!all || reply.signalled() < most) {
                return reply.permitted();
            }
        }
    }

    private LockStoreException unsignalled(LockName name, String condition, CompletableFuture<SignalReply> answer) {
        Throwable cause = answer.handle((reply, failure) -> failure).getNow(null);
        String why =
                cause == null ? store.describe() + " has not answered in time" : String.valueOf(cause.getMessage());
        return new LockStoreException(
                name.name(),
                "Condition '" + condition + "' of lock '" + LockNames.printable(name.name())
                        + "' could not be signalled: " + why,
                cause);
    }
}
