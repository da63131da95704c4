package dev.baton.lock.test;

import dev.baton.lock.LockHolder;
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
import dev.baton.lock.store.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final MemoryConditions conditions = new MemoryConditions(this, queue);
    private final TestClock clock;
    /** The highest token that was granted or reserved. */
    private long fence;
    /** The number of all grants of readers in the present operation; 0 before the first. */
    private long number;
    /** The ids of the requests that the present operation has granted locks, in their order. */
    private List<String> granted = new ArrayList<>();

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

    /** Ends the leases of all that hold the lock. */
    void expire(LockName name) {
        atOnce(() -> {
            row(name).free();
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
                    .flatMap(name -> handOver(row(name), reader, now).stream())
                    .toList();
            List<String> handedTo = next.stream().map(MemoryWaiter::id).toList();
            OptionalLong token = next.stream()
                    .filter(waiter -> waiter.isReader(reader))
                    .mapToLong(waiter -> token(row(waiter.names().get(0)), waiter.id()))
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
            MemoryWaiter waiter = row.waiter(id);
            if (waiter != null && waiter.isDescribedBy(command.waiter())) {
                waited = true;
                row.remove(id);
            }
            waited |= conditions.leave(row, command, waiter, now);
            (row.isHeldBy(id) ? held : missing).add(name);
            giveBack(row, id, command.keepMillis(), now);
        }
        if (command.markMillis() > 0) {
            mark(id, command.markMillis(), now);
        }
        EndReply.Role was = held.isEmpty()
                ? waited ? EndReply.Role.WAITER : EndReply.Role.NOTHING
                : missing.isEmpty() ? EndReply.Role.HOLDER : EndReply.Role.NOTHING;
        return new EndReply(was, held.isEmpty() ? List.of() : missing, false, false);
    }

    AwaitReply await(AwaitCommand command, String instance) {
        return atOnce(() -> conditions.await(command, instance, clock.micros()));
    }

    SignalReply signal(SignalCommand command) {
        return atOnce(() -> conditions.signal(command, clock.micros()));
    }

    ExchangeReply exchange(ExchangeCommand command, String instance) {
        return atOnce(() -> {
            EndReply left = leave(command.end());
            AcquireReply acquired = acquired(command.acquire(), true, instance);
            List<String> handedTo = List.copyOf(granted);
            return new ExchangeReply(
                    new EndReply(left.role(), left.missing(), left.incomplete(), left.possiblyRepeated(), handedTo),
                    acquired);
        });
    }

    private static void giveBack(MemoryRow row, String id, long keepMillis, long now) {
        MemoryHold hold = row.hold(id);
        if (hold != null && keepMillis > 0) {
            row.replace(id, hold.kept(row.isShared() ? "-" + id : "", now + keepMillis * 1_000));
        } else {
            row.release(id);
        }
    }

    DowngradeReply downgrade(DowngradeCommand command) {
        return atOnce(() -> {
            long now = clock.micros();
            MemoryRow row = row(command.name());
            AcquireCommand.Request reader = command.reader();
            MemoryHold before = row.isShared() ? null : row.hold(command.id());
            List<String> handedTo = List.of();
            if (before != null && !isOver(reader.id())) {
                mark(command.id(), command.markMillis(), now);
                row.free();
                grant(List.of(command.name()), reader, 0, now);
                row.replace(reader.id(), held(row, reader.id()).extended(before.until()));
                handedTo =
                        handOver(row, null, now).stream().map(MemoryWaiter::id).toList();
            } else if (!row.isShared() || !row.isHeldBy(reader.id())) {
                return new DowngradeReply(OptionalLong.empty(), false, List.of());
            } else {
                row.replace(reader.id(), held(row, reader.id()).extended(now + reader.leaseMillis() * 1_000));
            }
            return new DowngradeReply(OptionalLong.of(token(row, reader.id())), false, handedTo);
        });
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
                        MemoryHold hold = held(row, renewal.id());
                        row.replace(renewal.id(), hold.extended(now + renewal.leaseMillis() * 1_000));
                        row.state(hold.permits(), now + renewal.leaseMillis() * 1_000);
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
            MemoryHold hold = row.isShared() ? null : row.hold(command.id());
            if (hold == null) {
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
            row.replace(command.id(), hold.extended(now + command.leaseMillis() * 1_000));
            fence = token + command.reserve();
            return new ExtendReply(true, OptionalLong.of(token));
        });
    }

    LockState inspect(LockName name, int waiters) {
        return atOnce(() -> row(name).inspect(waiters, clock.micros()));
    }

    LockState.Permits resize(LockName semaphore, int size, long millis) {
        return atOnce(() -> {
            long now = clock.micros();
            MemoryRow row = row(semaphore);
            row.set(millis > 0 ? size : -1, now + millis * 1_000);
            handOver(row, null, now);
            return row.permits();
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
            revokeAll(row);
            row.free();
            handOver(row, null, now);
            return new ForceReply(seen(hold, now));
        });
    }

    ForceAcquireReply forceAcquire(ForceAcquireCommand command) {
        return atOnce(() -> new MemoryForceAcquire(this, command, clock.micros()).run());
    }

    /** Tells each process that holds a lock that it is wanted. Returns how many there are. */
    int tellHolders(LockName name) {
        return atOnce(() -> {
            MemoryRow row = row(name);
            MemoryHold hold = row.hold();
            Map<String, String> ids = new LinkedHashMap<>();
            row.readers().forEach(reader -> ids.putIfAbsent(instance(reader.id()), reader.id()));
            if (hold != null && !row.isShared()) {
                ids.put(instance(hold.id()), hold.id());
            }
            // a lock that is kept after its release has no holder
            ids.remove("");
            ids.forEach((instance, id) -> {
                MemoryInbox inbox = inboxes.get(instance);
                if (inbox != null) {
                    inbox.wanted(name, id);
                }
            });
            return ids.size();
        });
    }

    /** Notifies all that hold a lock that it is taken from them. */
    void revokeAll(MemoryRow row) {
        MemoryHold hold = row.hold();
        // a reader may not know of its grant yet, so its number is told instead of its token
        row.readers().forEach(reader -> revoke(row.name, reader.id(), fence));
        if (hold != null && !row.isShared()) {
            revoke(row.name, hold.id(), hold.token());
        }
    }

    private void revoke(LockName name, String id, long token) {
        MemoryInbox inbox = inboxes.get(instance(id));
        if (inbox != null) {
            inbox.revoked(List.of(name), id, token);
        }
    }

    private static @Nullable LockHolder seen(@Nullable MemoryHold hold, long now) {
        return hold == null ? null : hold.seen(now);
    }

    /**
     * Returns the instance with which a request id begins, or the empty string, which is no process, if there is none.
     */
    static String instance(String id) {
        return id.substring(0, Math.max(0, id.lastIndexOf(':')));
    }

    /**
     * Grants a lock that is free or shared to the first waiters that can have the lock: one writer, or the readers before
     * the first writer.
     *
     * @param reader the process that reads the answer, as for {@link MemoryWaiter#isReader}, or {@code null} if there
     *     is none
     */
    List<MemoryWaiter> handOver(MemoryRow row, @Nullable String reader, long now) {
        List<MemoryWaiter> all = new ArrayList<>();
        while (row.isOpen()) {
            MemoryWaiter next = queue.choose(row, Set.of(), reader, now).waiter();
            if (next == null) {
                break;
            }
            if (next.isReader(reader)) {
                grantTo(next, now);
            } else {
                grantAndTell(next, row, now);
            }
            all.add(next);
        }
        return all;
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
            boolean shares = sharesToken(waiter.request());
            inbox.granted(waiter.names(), waiter.id(), token, shares ? number : 0);
        }
    }

    private long grantTo(MemoryWaiter waiter, long now) {
        queue.remove(waiter);
        return grant(waiter.names(), waiter.request(), waiter.request().reserve(), now);
    }

    /** Stores a grant and returns its token. */
    long grant(List<LockName> names, AcquireCommand.Request request, int reserve, long now) {
        granted.add(request.id());
        long token = sharesToken(request) ? sharedToken(names, now) : number(now, reserve);
        for (LockName name : names) {
            MemoryHold hold = MemoryHold.of(request, token, now);
            if (request.shared().contains(name)) {
                row(name).share(hold);
                row(name).state(request.permits(), hold.until());
            } else {
                row(name).hold(hold);
            }
        }
        return token;
    }

    /** Returns whether the token of a request may be that of a run. */
    private static boolean sharesToken(AcquireCommand.Request request) {
        return !request.shared().isEmpty() && request.permits() == null;
    }

    private long number(long now, int reserve) {
        long token = Tokens.next(fence, now, reserve);
        fence = token + Tokens.kept(token, reserve);
        return token;
    }

    /** Returns the token of a request that shares locks: that of the run if it joins one and asks for nothing else. */
    private long sharedToken(List<LockName> names, long now) {
        if (number == 0) {
            number = number(now, 0);
        }
        MemoryRow first = row(names.get(0));
        return names.size() == 1 && first.isShared() ? first.runToken() : number;
    }

    private static long token(MemoryRow row, String id) {
        return held(row, id).token();
    }

    private static MemoryHold held(MemoryRow row, String id) {
        return Objects.requireNonNull(row.hold(id));
    }

    /** Refuses acquires of a request that has ended. */
    void mark(String id, long markMillis, long now) {
        over.put(id, now + markMillis * 1_000);
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
            number = 0;
            granted = new ArrayList<>();
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
