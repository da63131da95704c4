package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.ForceAcquireCommand;
import dev.baton.lock.store.ForceAcquireReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Executes one command that takes locks from their holders, and creates its reply. */
final class MemoryForceAcquire {

    private final MemoryLocks locks;
    private final ForceAcquireCommand command;
    private final Request request;
    private final long now;
    private final List<MemoryRow> rows;

    MemoryForceAcquire(MemoryLocks locks, ForceAcquireCommand command, long now) {
        this.locks = locks;
        this.command = command;
        this.request = command.request();
        this.now = now;
        this.rows = command.acquire().names().stream().map(locks::row).toList();
    }

    ForceAcquireReply run() {
        if (locks.isOver(request.id())) {
            return reply(new Over(), List.of());
        }
        if (rows.stream().allMatch(row -> row.isHeldBy(request.id()))) {
            for (MemoryRow row : rows) {
                MemoryHold hold = Objects.requireNonNull(row.hold(request.id()));
                row.replace(request.id(), hold.extended(now + request.leaseMillis() * 1_000));
            }
            long token = Objects.requireNonNull(rows.get(0).hold(request.id())).token();
            return reply(granted(token, true), List.of());
        }
        List<MemoryRow> others = rows.stream()
                .filter(row -> !row.isFree() && !row.isHeldBy(request.id()))
                .toList();
        if (command.expected() != ForceAcquireCommand.ANY && !isExpected(others)) {
            return reply(busy(others), List.of());
        }
        List<LockHolder> taken = new ArrayList<>(others.size());
        for (MemoryRow row : others) {
            taken.add(held(row).seen(now));
            locks.revokeAll(row);
            row.free();
        }
        rows.forEach(row -> row.remove(request.id()));
        long token = locks.grant(command.acquire().names(), request, 0, now);
        rows.stream().filter(MemoryRow::isShared).forEach(row -> locks.handOver(row, null, now));
        return reply(granted(token, false), taken);
    }

    private boolean isExpected(List<MemoryRow> others) {
        return !others.isEmpty() && others.stream().allMatch(row -> held(row).token() == command.expected());
    }

    private Answer busy(List<MemoryRow> others) {
        if (others.isEmpty()) {
            return new Busy(null, locks.fence());
        }
        MemoryHold hold = held(others.get(0));
        return new Busy(hold.seen(now), locks.fence(), hold.id());
    }

    private static MemoryHold held(MemoryRow row) {
        return Objects.requireNonNull(row.hold());
    }

    private Granted granted(long token, boolean again) {
        return new Granted(token, again, request.shared().isEmpty() ? token : locks.fence());
    }

    private static ForceAcquireReply reply(Answer answer, List<LockHolder> taken) {
        return new ForceAcquireReply(answer, taken, false);
    }
}
