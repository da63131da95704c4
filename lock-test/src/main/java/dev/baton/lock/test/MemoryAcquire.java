package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockPermits;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Awaited;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Executes one acquire command and creates its reply. */
final class MemoryAcquire {

    private final MemoryLocks locks;
    private final MemoryQueue queue;
    private final AcquireCommand command;
    private final String instance;
    private final long now;
    private final List<MemoryRow> rows;
    /** Whether tokens are reserved for a request that is granted at once. */
    private final boolean reserving;
    /** The answers that have been decided, by request id. */
    private final Map<String, Answer> answers = new LinkedHashMap<>();
    /** The requests that go on awaiting their conditions. */
    private final List<Request> staying = new ArrayList<>();
    /** What has become of the requests with conditions, by request id. */
    private final Map<String, Awaited> conditions = new LinkedHashMap<>();
    /** Whether a request joined a queue in which it was not before. */
    private boolean joined;

    MemoryAcquire(
            MemoryLocks locks,
            MemoryQueue queue,
            AcquireCommand command,
            boolean reserving,
            String instance,
            long now) {
        this.locks = locks;
        this.queue = queue;
        this.command = command;
        this.reserving = reserving;
        this.instance = instance;
        this.now = now;
        this.rows = command.names().stream().map(locks::row).toList();
    }

    AcquireReply run() {
        List<Request> open = new ArrayList<>();
        for (Request request : command.requests()) {
            Answer known = known(request);
            if (known == null && request.condition().isEmpty()) {
                open.add(request);
            } else if (known == null) {
                atCondition(request, open);
            } else {
                answers.put(request.id(), known);
            }
            if (!(known instanceof Over)) {
                long millis =
                        Math.max(request.leaseMillis(), 3 * command.recheck().toMillis());
                rows.get(0).state(request.permits(), now + millis * 1_000);
            }
        }
        if (!open.isEmpty()
                && rows.stream()
                        .allMatch(
                                row -> row.isOpenTo(open.get(0)) && row.queue().isEmpty())) {
            grantAtOnce(open.remove(0));
        }
        List<Request> waiting =
                open.stream().filter(request -> request.kind() != Kind.TRY).toList();
        Set<MemoryRow> empty =
                rows.stream().filter(row -> row.queue().isEmpty()).collect(Collectors.toSet());
        waiting.forEach(this::join);
        boolean noted = !waiting.isEmpty() && hear(waiting.get(0).kind() == Kind.POLL, empty);
        for (Request request : staying) {
            long recheck = command.recheck().toMillis() * 1_000;
            noted |= rows.get(0).hearAt(request.condition(), instance, request.kind() == Kind.POLL, recheck, now);
        }
        handOver(open);
        return reply(noted && !locks.isHeard(instance));
    }

    /** Takes a request out of the list of its condition, unless it goes on waiting there. */
    private void atCondition(Request request, List<Request> open) {
        MemoryRow row = rows.get(0);
        if (request.awaits() && row.awaits(request, instance)) {
            conditions.put(request.id(), Awaited.AWAITS);
            staying.add(request);
            return;
        }
        row.list(request.condition()).remove(request.id());
        MemoryWaiter waiter = row.waiter(request.id());
        boolean signalled = waiter != null && !waiter.request().condition().isEmpty();
        conditions.put(request.id(), signalled ? Awaited.SIGNALLED : Awaited.ASKS);
        open.add(signalled ? request : request.at("", false));
    }

    /** Returns the answer that does not depend on other waiters, or {@code null} if there is none. */
    private @Nullable Answer known(Request request) {
        if (locks.isOver(request.id())) {
            return new Over();
        }
        if (!rows.stream().allMatch(row -> row.isHeldBy(request.id()))) {
            return null;
        }
        for (MemoryRow row : rows) {
            row.replace(request.id(), hold(row, request).extended(now + request.leaseMillis() * 1_000));
        }
        if (!request.condition().isEmpty()) {
            boolean signalled = hold(rows.get(0), request).signalled();
            conditions.put(request.id(), signalled ? Awaited.SIGNALLED : Awaited.ASKS);
        }
        return granted(request, hold(rows.get(0), request).token(), true);
    }

    private static MemoryHold hold(MemoryRow row, Request request) {
        return Objects.requireNonNull(row.hold(request.id()));
    }

    private static Granted granted(Request request, long token, boolean again) {
        // what has been numbered so far is known only when all is done
        return new Granted(token, again, request.shared().isEmpty() ? token : 0);
    }

    private void grantAtOnce(Request request) {
        grant(request, reserving ? request.reserve() : 0);
    }

    private void grant(Request request, int reserve) {
        long token = locks.grant(command.names(), request, reserve, now);
        answers.put(request.id(), granted(request, token, false));
    }

    private void join(Request request) {
        MemoryWaiter before = rows.stream()
                .map(row -> row.waiter(request.id()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (before != null && rows.stream().anyMatch(row -> before.arrival() < row.born(instance, now))) {
            // its process was forgotten since, so it gets new places
            rows.forEach(row -> row.queue().remove(before));
            join(request);
            return;
        }
        long last = rows.stream().mapToLong(MemoryRow::lastArrival).max().orElse(0);
        long arrival = before != null ? before.arrival() : Math.max(now, last + 1);
        joined |= rows.stream().anyMatch(row -> row.waiter(request.id()) == null);
        rows.forEach(row -> row.join(new MemoryWaiter(request, command.names(), instance, arrival)));
    }

    /**
     * Notes that the process is alive. Returns {@code false} if that is known from a recheck just before.
     *
     * @param empty the names whose queue was empty before
     */
    private boolean hear(boolean polls, Set<MemoryRow> empty) {
        long recheck = command.recheck().toMillis() * 1_000;
        boolean noted = false;
        for (MemoryRow row : rows) {
            noted |= row.hear(instance, polls, recheck, empty.contains(row), now);
        }
        return noted;
    }

    /** Grants locks that are free or shared to the next waiters, whether these are requests of this command or other requests. */
    private void handOver(List<Request> open) {
        boolean kept = false;
        List<Request> own = new ArrayList<>(open);
        own.addAll(staying);
        Set<String> mine = own.stream().map(Request::id).collect(Collectors.toSet());
        for (MemoryRow row : rows) {
            while (row.isOpen()) {
                MemoryQueue.Choice choice = queue.choose(row, mine, null, now);
                MemoryWaiter next = choice.waiter();
                kept |= choice.kept();
                if (next == null) {
                    break;
                }
                if (mine.contains(next.id())) {
                    queue.remove(next);
                    own.stream()
                            .filter(request -> request.id().equals(next.id()))
                            .forEach(request -> grant(request, request.reserve()));
                    // a request that awaits may have been passed a signal just now
                    conditions.replace(next.id(), Awaited.AWAITS, Awaited.SIGNALLED);
                } else {
                    locks.grantAndTell(next, row, now);
                }
            }
        }
        Request first = open.isEmpty() ? null : open.get(0);
        // a try that waited before may have been found in the queue just now
        if (first != null
                && first.kind() == Kind.TRY
                && !answers.containsKey(first.id())
                && !kept
                && rows.stream().allMatch(row -> row.isOpenTo(first))) {
            grantAtOnce(first);
        }
    }

    private AcquireReply reply(boolean deaf) {
        MemoryHold hold = rows.stream()
                .map(MemoryRow::hold)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        LockHolder holder = hold == null ? null : hold.seen(now);
        Busy busy = hold == null ? new Busy(null, locks.fence()) : new Busy(holder, locks.fence(), hold.id());
        List<Answer> all = command.requests().stream()
                .<Answer>map(request -> answers.getOrDefault(request.id(), about(busy, request)))
                .map(answer -> answer instanceof Granted granted && granted.number() == 0
                        ? new Granted(granted.token(), granted.again(), locks.fence())
                        : answer)
                .toList();
        return new AcquireReply(false, all, false, deaf, joined, conditions);
    }

    private Answer about(Busy busy, Request request) {
        LockPermits permits = request.permits();
        return permits == null ? busy : busy.of(rows.get(0).size(permits.size()));
    }
}
