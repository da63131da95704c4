package dev.baton.lock.redis.failover;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockState;
import dev.baton.lock.redis.command.LockCommands;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Granted;
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
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.RenewCommand.Renewal;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import dev.baton.lock.store.StoreTraits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a grant count only when it is confirmed, and a renewal, too. A grant by an answer fails otherwise: its request is
 * then ended, as if the answer had been lost. A grant that the answer to an end reports takes the way of a message.
 * Thread-safe.
 */
public final class ConfirmedCommands implements LockCommands {

    private final LockCommands commands;
    private final GrantConfirmation confirmation;
    private final GrantInbox inbox;

    /**
     * Creates the commands.
     *
     * @param inbox is told of the grants that answers to ends report; confirms them itself
     */
    public ConfirmedCommands(LockCommands commands, GrantConfirmation confirmation, ConfirmedInbox inbox) {
        this.commands = commands;
        this.confirmation = confirmation;
        this.inbox = inbox;
    }

    @Override
    public LockHandler handler() {
        return commands.handler();
    }

    @Override
    public StoreTraits traits() {
        return commands.traits();
    }

    @Override
    public long order() {
        return commands.order();
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(AcquireCommand command) {
        long begun = System.nanoTime();
        return commands.acquire(command)
                .thenCompose(reply -> confirmed(reply, granted(command, reply.answers()), command, begun));
    }

    private <T> CompletableFuture<T> confirmed(T reply, List<Renewal> granted, AcquireCommand command, long begun) {
        return granted.isEmpty()
                ? CompletableFuture.completedFuture(reply)
                : confirmation
                        .confirm(granted, command.timeoutNanos() - (System.nanoTime() - begun))
                        .thenApply(done -> reply);
    }

    /** Returns the grants among some answers, as renewals that only ask whether they are there. */
    private static List<Renewal> granted(AcquireCommand command, List<Answer> answers) {
        List<Renewal> granted = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof Granted) {
                granted.add(
                        new Renewal(command.names(), command.requests().get(i).id(), 0));
            }
        }
        return granted;
    }

    @Override
    public CompletableFuture<EndReply> end(EndCommand command) {
        long sentAt = System.nanoTime();
        return commands.end(command).thenApply(reply -> withoutGrant(command.names(), reply, sentAt));
    }

    /** Tells the inbox of the grant in a reply, and returns the reply without it. */
    private EndReply withoutGrant(List<LockName> names, EndReply reply, long sentAt) {
        if (reply.token().isEmpty() || reply.handedTo().isEmpty()) {
            return reply;
        }
        inbox.handedOver(names, reply.handedTo().get(0), reply.token().getAsLong(), sentAt);
        return new EndReply(
                reply.role(), reply.missing(), reply.incomplete(), reply.possiblyRepeated(), reply.handedTo());
    }

    @Override
    public CompletableFuture<ExchangeReply> exchange(ExchangeCommand command) {
        long begun = System.nanoTime();
        return commands.exchange(command).thenCompose(reply -> {
            EndReply ended = withoutGrant(command.end().names(), reply.ended(), begun);
            List<Renewal> granted = granted(command.acquire(), reply.acquired().answers());
            return confirmed(new ExchangeReply(ended, reply.acquired()), granted, command.acquire(), begun);
        });
    }

    @Override
    public CompletableFuture<ForceAcquireReply> forceAcquire(ForceAcquireCommand command) {
        long begun = System.nanoTime();
        AcquireCommand acquire = command.acquire();
        return commands.forceAcquire(command)
                .thenCompose(reply -> confirmed(reply, granted(acquire, List.of(reply.answer())), acquire, begun));
    }

    @Override
    public CompletableFuture<List<List<LockName>>> renew(RenewCommand command) {
        return confirmation.renew(command);
    }

    /** Answers that the lock is wanted: a grant would be extended, and tokens reserved, without a confirmation. */
    @Override
    public CompletableFuture<ExtendReply> extend(ExtendCommand command) {
        return CompletableFuture.completedFuture(ExtendReply.WANTED);
    }

    @Override
    public CompletableFuture<DowngradeReply> downgrade(DowngradeCommand command) {
        return commands.downgrade(command);
    }

    @Override
    public CompletableFuture<Integer> tellHolders(LockName name, long timeoutNanos) {
        return commands.tellHolders(name, timeoutNanos);
    }

    @Override
    public CompletableFuture<AwaitReply> await(AwaitCommand command) {
        return commands.await(command);
    }

    @Override
    public CompletableFuture<SignalReply> signal(SignalCommand command) {
        return commands.signal(command);
    }

    @Override
    public CompletableFuture<LockState> inspect(LockName name, int waiters, long timeoutNanos) {
        return commands.inspect(name, waiters, timeoutNanos);
    }

    @Override
    public CompletableFuture<ScanPage> scan(ScanCommand command) {
        return commands.scan(command);
    }

    @Override
    public CompletableFuture<ForceReply> forceRelease(LockName name, long timeoutNanos) {
        return commands.forceRelease(name, timeoutNanos);
    }

    @Override
    public CompletableFuture<LockState.Permits> resize(LockName name, int size, long millis, long timeoutNanos) {
        return commands.resize(name, size, millis, timeoutNanos);
    }

    @Override
    public CompletableFuture<Instant> time(long timeoutNanos) {
        return commands.time(timeoutNanos);
    }

    @Override
    public void close() {
        confirmation.close();
        commands.close();
    }
}
