package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import dev.baton.lock.store.ExtendCommand;
import dev.baton.lock.store.ExtendReply;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.ScanCommand;
import dev.baton.lock.store.ScanPage;
import dev.baton.lock.store.Tokens;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps all locks of some processes of this JVM. Executes each operation in one step, as the scripts on Redis do. */
final class MemoryLocks {

    /** Allows one operation at a time; held only briefly. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<LockName, MemoryRow> rows = new HashMap<>();
    /** The time until which acquires of an ended request are refused, by request id. */
    private final Map<String, Long> over = new HashMap<>();

    private final Map<String, MemoryInbox> inboxes = new ConcurrentHashMap<>();
    private final MemoryQueue queue = new MemoryQueue(this::row, this::isHeard);
    private final TestClock clock;
    /** The highest token that was granted or reserved. */
    private long fence;

    MemoryLocks(TestClock clock) {
        this.clock = clock;
    }

    TestClock clock() {
        return clock;
    }

    void connect(String instance, MemoryInbox inbox) {
        inboxes.put(instance, inbox);
    }

    void disconnect(String instance) {
        inboxes.remove(instance);
    }

    boolean isHeard(String instance) {
        MemoryInbox inbox = inboxes.get(instance);
        return inbox != null && inbox.isListening();
    }

    /** Forgets everything. Notifies no process. */
    void clear() {
        atOnce(() -> {
            rows.clear();
            over.clear();
            fence = 0;
            return 0;
        });
    }

    /** Returns whether no lock is held, kept or awaited. */
    boolean isEmpty() {
        return names().isEmpty();
    }

    /** Returns the locks that are held, kept or awaited. */
    Set<LockName> names() {
        // what has expired is removed only afterwards
        atOnce(() -> 0);
        return atOnce(() -> rows.values().stream()
                .filter(row -> !row.isUnused())
                .map(row -> row.name)
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** Ends the lease of the current holder. */
    void expire(LockName name) {
        atOnce(() -> {
            row(name).hold(null);
            return 0;
        });
    }

    AcquireReply acquire(AcquireCommand command, String instance) {
        return atOnce(() -> acquired(command, false, instance));
    }

    private AcquireReply acquired(AcquireCommand command, boolean reserving, String instance) {
        return new MemoryAcquire(this, queue, command, reserving, instance, clock.micros()).run();
    }

    EndReply end(EndCommand command) {
        return atOnce(() -> {
            EndReply reply = leave(command);
            long now = clock.micros();
            String reader = command.names().size() == 1 ? instance(command.id()) : null;
            List<MemoryWaiter> next = command.names().stream()
                    .map(name -> handOver(row(name), reader, now))
                    .flatMap(Optional::stream)
                    .toList();
            List<String> handedTo = next.stream().map(MemoryWaiter::id).toList();
            OptionalLong token = next.stream()
                    .filter(waiter -> waiter.isReader(reader))
                    .mapToLong(waiter -> token(row(waiter.names().get(0))))
                    .findFirst();
            return new EndReply(reply.role(), reply.missing(), false, false, handedTo, token);
        });
    }

    /** Ends a request. Frees or keeps the locks that the request holds, and does not grant them to a waiter yet. */
    private EndReply leave(EndCommand command) {
        long now = clock.micros();
        String id = command.id();
        List<LockName> held = new ArrayList<>();
        List<LockName> missing = new ArrayList<>();
        boolean waited = false;
        for (LockName name : command.names()) {
            MemoryRow row = row(name);
            waited |= row.waiter(id) != null;
            row.remove(id);
            (row.isHeldBy(id) ? held : missing).add(name);
            giveBack(row, id, command.keepMillis(), now);
        }
        if (command.markMillis() > 0) {
            over.put(id, now + command.markMillis() * 1_000);
        }
        EndReply.Role was = held.isEmpty()
                ? waited ? EndReply.Role.WAITER : EndReply.Role.NOTHING
                : missing.isEmpty() ? EndReply.Role.HOLDER : EndReply.Role.NOTHING;
        return new EndReply(was, held.isEmpty() ? List.of() : missing, false, false);
    }

    ExchangeReply exchange(ExchangeCommand command, String instance) {
        return atOnce(() -> {
            EndReply left = leave(command.end());
            LockName name = command.end().names().get(0);
            boolean free = row(name).isFree();
            AcquireReply acquired = acquired(command.acquire(), true, instance);
            MemoryHold hold = row(name).hold();
            List<String> handedTo = free && hold != null ? List.of(hold.id()) : List.of();
            return new ExchangeReply(
                    new EndReply(left.role(), left.missing(), left.incomplete(), left.possiblyRepeated(), handedTo),
                    acquired);
        });
    }

    private static void giveBack(MemoryRow row, String id, long keepMillis, long now) {
        MemoryHold hold = row.hold();
        if (hold != null && hold.id().equals(id)) {
            row.hold(keepMillis > 0 ? hold.kept(now + keepMillis * 1_000) : null);
        }
    }

    List<List<LockName>> renew(RenewCommand command) {
        return atOnce(() -> {
            long now = clock.micros();
            List<List<LockName>> missing = new ArrayList<>();
            for (RenewCommand.Renewal renewal : command.renewals()) {
                List<LockName> lost = renewal.names().stream()
                        .filter(name -> !row(name).isHeldBy(renewal.id()))
                        .toList();
                if (lost.isEmpty() && renewal.leaseMillis() > 0) {
                    for (LockName name : renewal.names()) {
                        MemoryRow row = row(name);
                        MemoryHold hold = Objects.requireNonNull(row.hold());
                        row.hold(hold.extended(now + renewal.leaseMillis() * 1_000));
                    }
                }
                missing.add(lost);
            }
            return missing;
        });
    }

    ExtendReply extend(ExtendCommand command) {
        return atOnce(() -> {
            MemoryRow row = row(command.name());
            MemoryHold hold = row.hold();
            if (hold == null || !hold.id().equals(command.id())) {
                return new ExtendReply(false, OptionalLong.empty());
            }
            if (!row.queue().isEmpty()) {
                return ExtendReply.WANTED;
            }
            long now = clock.micros();
            long token = Tokens.next(fence, now, command.reserve());
            if (Tokens.kept(token, command.reserve()) == 0) {
                return ExtendReply.WANTED;
            }
            row.hold(hold.extended(now + command.leaseMillis() * 1_000));
            fence = token + command.reserve();
            return new ExtendReply(true, OptionalLong.of(token));
        });
    }

    LockState inspect(LockName name, int waiters) {
        return atOnce(() -> {
            long now = clock.micros();
            MemoryRow row = row(name);
            List<LockWaiter> first = row.queue().stream()
                    .limit(waiters)
                    .map(waiter -> new LockWaiter(
                            waiter.request().label(),
                            waiter.request().owner(),
                            Duration.of(Math.max(0, now - waiter.arrival()), ChronoUnit.MICROS)))
                    .toList();
            return new LockState(
                    name.namespace(),
                    name.name(),
                    Optional.ofNullable(seen(row.hold(), now)),
                    first,
                    row.queue().size());
        });
    }

    ScanPage scan(ScanCommand command) {
        return atOnce(() -> {
            List<LockName> held = List.copyOf(rows.keySet()).stream()
                    .filter(name -> name.namespace().equals(command.namespace())
                            && command.pattern().matches(name.name())
                            && !row(name).isFree())
                    .toList();
            return new ScanPage(held, ScanCommand.START);
        });
    }

    ForceReply forceRelease(LockName name) {
        return atOnce(() -> {
            long now = clock.micros();
            MemoryRow row = row(name);
            MemoryHold hold = row.hold();
            if (hold != null) {
                row.hold(null);
                MemoryInbox inbox = inboxes.get(instance(hold.id()));
                if (inbox != null) {
                    inbox.revoked(List.of(name), hold.id(), hold.token());
                }
            }
            handOver(row, null, now);
            return new ForceReply(seen(hold, now));
        });
    }

    private static @Nullable LockHolder seen(@Nullable MemoryHold hold, long now) {
        return hold == null ? null : hold.seen(now);
    }

    /**
     * Returns the instance with which a request id begins, or the empty string, which is no process, if there is none.
     */
    private static String instance(String id) {
        return id.substring(0, Math.max(0, id.lastIndexOf(':')));
    }

    /**
     * Grants a free lock to the first waiter that can have the lock.
     *
     * @param reader the process that reads the answer, as for {@link MemoryWaiter#isReader}, or {@code null} if there
     *     is none
     */
    private Optional<MemoryWaiter> handOver(MemoryRow row, @Nullable String reader, long now) {
        if (!row.isFree()) {
            return Optional.empty();
        }
        MemoryWaiter next = queue.choose(row, Set.of(), reader, now).waiter();
        if (next != null && next.isReader(reader)) {
            grantTo(next, now);
        } else if (next != null) {
            grantAndTell(next, row, now);
        }
        return Optional.ofNullable(next);
    }

    /**
     * Grants a waiter its names, and notifies it unless it asks again.
     *
     * @param row the free name in whose queue the waiter was found
     */
    void grantAndTell(MemoryWaiter waiter, MemoryRow row, long now) {
        long token = grantTo(waiter, now);
        MemoryInbox inbox = inboxes.get(waiter.instance());
        if (inbox != null && !MemoryQueue.isAsking(row, waiter, now)) {
            inbox.granted(waiter.names(), waiter.id(), token);
        }
    }

    private long grantTo(MemoryWaiter waiter, long now) {
        queue.remove(waiter);
        return grant(waiter.names(), waiter.request(), waiter.request().reserve(), now);
    }

    /** Stores a grant and returns its token. */
    long grant(List<LockName> names, AcquireCommand.Request request, int reserve, long now) {
        long token = Tokens.next(fence, now, reserve);
        fence = token + Tokens.kept(token, reserve);
        names.forEach(name -> row(name).hold(MemoryHold.of(request, token, now)));
        return token;
    }

    private static long token(MemoryRow held) {
        return Objects.requireNonNull(held.hold()).token();
    }

    boolean isOver(String id) {
        Long until = over.get(id);
        return until != null && until > clock.micros();
    }

    long fence() {
        return fence;
    }

    /** Returns the present state of a name, without what has expired. */
    MemoryRow row(LockName name) {
        MemoryRow row = rows.computeIfAbsent(name, MemoryRow::new);
        row.expire(clock.micros());
        return row;
    }

    private <T> T atOnce(Supplier<T> operation) {
        lock.lock();
        try {
            return operation.get();
        } finally {
            long now = clock.micros();
            over.values().removeIf(until -> until <= now);
            rows.values().removeIf(row -> {
                row.expire(now);
                return row.isEmpty();
            });
            lock.unlock();
        }
    }
}
