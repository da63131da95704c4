package dev.baton.lock.engine;

import dev.baton.lock.engine.cohort.CohortRegistry;
import dev.baton.lock.engine.lease.EndDispatcher;
import dev.baton.lock.engine.lease.LeaseMonitor;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.AcquisitionSpec;
import dev.baton.lock.engine.ticket.ConditionWait;
import dev.baton.lock.engine.ticket.EngineSettings;
import dev.baton.lock.engine.ticket.Grant;
import dev.baton.lock.engine.ticket.LossReasons;
import dev.baton.lock.engine.ticket.Phase;
import dev.baton.lock.engine.ticket.RequestRegistry;
import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.engine.wait.AcquireDispatcher;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.WaitingCaller;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * Overview. A holder that awaits a condition has two tickets.
 *
 *    holder:   HELD --> OVER (replaced), before the command is sent. Ended alone only if the command is not answered, or finds
 *              the lock lost
 *    waiter:   WAITING at the condition --> WAITING in the queue --> HELD
 *
 * The holder leaves its cohort first: the other members of the cohort ask by a ticket of their own.
 */
/** Lets holders begin to await conditions. Never waits. Thread-safe. */
final class ConditionEntry {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LockStore store;
    private final EngineSettings settings;
    private final EngineExecutors executors;
    private final TimeSource time;
    private final RequestRegistry registry;
    private final LeaseMonitor leases;
    private final CohortRegistry cohorts;
    private final AcquireDispatcher dispatcher;
    private final EndDispatcher ends;

    ConditionEntry(
            LockStore store,
            EngineSettings settings,
            EngineExecutors executors,
            TimeSource time,
            RequestRegistry registry,
            LeaseMonitor leases,
            CohortRegistry cohorts,
            AcquireDispatcher dispatcher,
            EndDispatcher ends) {
        this.store = store;
        this.settings = settings;
        this.executors = executors;
        this.time = time;
        this.registry = registry;
        this.leases = leases;
        this.cohorts = cohorts;
        this.dispatcher = dispatcher;
        this.ends = ends;
    }

    /** How the store answered the command by which a holder begins to await a condition. */
    enum Begun {
        /** The holder is over, and the other request awaits the condition or has left it already. */
        AWAITS,
        /** The holder had lost its lock. Nothing is held, and nothing waits. */
        LOST
    }

    /**
     * A holder that has begun to await a condition.
     *
     * @param waiter the acquisition that gets the lock back
     * @param begun the answer of the store. Fails with a {@link StoreException} if there is none within a command time-out
     */
    record Entered(Acquisition waiter, ConditionWait atCondition, CompletableFuture<Begun> begun) {}

    /** Releases the lock of an acquisition that holds one lock alone, and lets another acquisition await a condition. */
    Entered enter(Acquisition holder, Grant grant, AcquisitionSpec back, String condition) {
        long now = time.nanoTime();
        Ticket before = holder.ticket();
        Acquisition waiter = new Acquisition(back, now, registry);
        ConditionWait wait = new ConditionWait(condition);
        Ticket ticket = registry.ticket(waiter);
        ticket.awaits(wait);
        Step step = new Step(holder, before, ticket, now, new CompletableFuture<>());
        Ticket next = cohorts.leaves(holder);
        registry.forget(holder);
        Grant held = before.grant();
        if (held == null || !leases.replace(before, held) || !holder.end(grant, Phase.Why.RELEASED, now, "")) {
            holder.lost(before);
            dispatcher.giveUp(ticket);
            step.begun.complete(Begun.LOST);
        } else {
            ask(step, new WaitingCaller(settings.commandTimeoutNanos(), false));
        }
        cohorts.ask(next);
        return new Entered(waiter, wait, step.begun);
    }

    /** The step in which one ticket takes the place of another, until it is answered. */
    private record Step(
            Acquisition holder, Ticket before, Ticket ticket, long enteredAt, CompletableFuture<Begun> begun) {}

    private void ask(Step step, @Nullable WaitingCaller caller) {
        Ticket ticket = step.ticket;
        long sentAt = time.nanoTime();
        AwaitCommand command = new AwaitCommand(
                ticket.names().get(0),
                step.before.id(),
                ticket.asksToReplace(dispatcher.isListening(), settings.passMillis(), sentAt),
                settings.recheck(ticket),
                settings.markMillis(step.before.leaseNanos()),
                settings.commandTimeoutNanos(),
                caller);
        store.await(command).whenComplete((reply, failure) -> {
            if (failure != null) {
                failed(step, failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
            } else if (reply.awaits()) {
                registry.forget(step.before);
                dispatcher.awaits(ticket, reply, sentAt);
                step.begun.complete(Begun.AWAITS);
            } else {
                ticket.answered(reply.possiblyRepeated());
                dispatcher.giveUp(ticket);
                // a late acquire may have put it into the queue
                ends.end(step.before);
                step.holder.foundLost(time.nanoTime(), LossReasons.UNKNOWN);
                step.begun.complete(Begun.LOST);
            }
        });
    }

    private void failed(Step step, @Nullable Throwable failure) {
        StoreException refusal = failure instanceof StoreException known
                ? known
                : new StoreException("the lock store failed: " + failure, false, failure);
        step.ticket.failed(refusal, true);
        boolean late = time.nanoTime() - step.enteredAt >= settings.commandTimeoutNanos();
        if (!late && refusal.isPassing() && step.ticket.isWaiting()) {
            executors.onAsker(RETRY_NANOS, () -> ask(step, null));
            return;
        }
        dispatcher.giveUp(step.ticket);
        // either of them may be the holder
        ends.end(step.before);
        if (step.ticket.wasGranted()) {
            step.begun.complete(Begun.AWAITS);
        } else {
            step.begun.completeExceptionally(refusal);
        }
    }
}
