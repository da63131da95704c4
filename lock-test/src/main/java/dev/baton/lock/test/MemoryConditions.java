package dev.baton.lock.test;

import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AwaitCommand;
import dev.baton.lock.store.AwaitReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.SignalCommand;
import dev.baton.lock.store.SignalReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets requests await the conditions of locks, and signals them. Each method is part of one step of the {@link MemoryLocks}. */
final class MemoryConditions {

    private final MemoryLocks locks;
    private final MemoryQueue queue;

    MemoryConditions(MemoryLocks locks, MemoryQueue queue) {
        this.locks = locks;
        this.queue = queue;
    }

    AwaitReply await(AwaitCommand command, String instance, long now) {
        MemoryRow row = locks.row(command.name());
        AcquireCommand.Request waiter = command.waiter();
        MemoryList list = row.list(waiter.condition());
        if (locks.isOver(waiter.id()) || row.isShared() || !row.isHeldBy(command.id())) {
            boolean hasCome =
                    row.isHeldBy(waiter.id()) || list.waiter(waiter.id()) != null || row.waiter(waiter.id()) != null;
            return new AwaitReply(hasCome, false, locks.fence(), false, false, List.of());
        }
        list.add(waiter, List.of(command.name()), instance, now);
        boolean noted = row.hearAt(
                waiter.condition(),
                instance,
                waiter.kind() == AcquireCommand.Kind.POLL,
                command.recheck().toMillis() * 1_000,
                now);
        locks.mark(command.id(), command.markMillis(), now);
        row.free();
        List<String> handedTo =
                locks.handOver(row, null, now).stream().map(MemoryWaiter::id).toList();
        return new AwaitReply(true, false, locks.fence(), false, noted && !locks.isHeard(instance), handedTo);
    }

    SignalReply signal(SignalCommand command, long now) {
        MemoryRow row = locks.row(command.name());
        if (!command.id().isEmpty() && (row.isShared() || !row.isHeldBy(command.id()))) {
            return new SignalReply(false, 0);
        }
        int signalled = queue.signal(row, command.condition(), command.most(), command.owner(), now);
        if (signalled > 0 && row.isFree()) {
            locks.handOver(row, null, now);
        }
        return new SignalReply(true, signalled);
    }

    /**
     * Takes a request with a condition out of the list of the condition. If it was signalled, its signal is passed on.
     * Returns whether it was in the list.
     *
     * @param queued the request as it was in the queue, or {@code null}
     */
    boolean leave(MemoryRow row, EndCommand command, @Nullable MemoryWaiter queued, long now) {
        AcquireCommand.Request request = command.waiter();
        if (request == null || request.condition().isEmpty()) {
            return false;
        }
        MemoryHold hold = row.hold(command.id());
        MemoryWaiter waiter = new MemoryWaiter(request, command.names(), MemoryLocks.instance(command.id()), now);
        if (hold != null && hold.signalled()
                || queued != null && !queued.request().condition().isEmpty()) {
            queue.passSignalOn(row, waiter, now);
        }
        return row.list(request.condition()).remove(command.id());
    }
}
