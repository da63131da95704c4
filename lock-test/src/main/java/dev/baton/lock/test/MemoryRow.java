package dev.baton.lock.test;

import dev.baton.lock.LockPermits;
import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The state of one lock name. Times in microseconds of the store's clock. */
final class MemoryRow {

    /** What is known of waiters outlives a stall of so many rechecks. */
    private static final int KEPT_RECHECKS = 14;

    final LockName name;
    private final List<MemoryWaiter> queue = new ArrayList<>();
    private @Nullable MemoryHold hold;
    /** The holds of those that share the lock, by request id. */
    private final Map<String, MemoryHold> readers = new HashMap<>();
    /** The token of their run. */
    private long runToken;

    /** The sizes of a semaphore that processes state, with the time until which they do. */
    private final Map<Integer, Long> sizes = new HashMap<>();
    /** The size of a semaphore that an operator has set; -1 if none has. */
    private int set = -1;

    private long setUntil;

    private long queueUntil;

    /** The requests that await conditions, by condition. */
    private final Map<String, MemoryList> lists = new HashMap<>();

    /** The processes that wait or have waited, by their instance. */
    private final Map<String, MemoryProcess> processes = new HashMap<>();
    /** The time of the last recheck of any process. */
    private long seen;
    /** The time since which rechecks have come without a pause. */
    private long began;
    /** The shortest recheck since then. */
    private long least;
    /** The time at which {@link #processes} are forgotten; 0 if none is known. */
    private long processesUntil;

    MemoryRow(LockName name) {
        this.name = name;
    }

    /** Removes what has expired by now. */
    void expire(long now) {
        if (hold != null && hold.until() <= now) {
            hold = null;
        }
        readers.values().removeIf(reader -> reader.until() <= now);
        sizes.values().removeIf(until -> until <= now);
        if (setUntil <= now) {
            set = -1;
        }
        if (queueUntil <= now) {
            queue.clear();
        }
        lists.values().removeIf(list -> list.isOver(now));
        if (processesUntil <= now) {
            processes.clear();
            processesUntil = 0;
        }
        forgetIfWithoutWaiters();
    }

    /**
     * Returns the hold as others see it: of several readers, that of the one whose lease ends last, with the token of the run. Of
     * a semaphore, that of the one whose lease ends first.
     */
    @Nullable
    MemoryHold hold() {
        if (name.semaphore()) {
            return readers().stream().findFirst().orElse(null);
        }
        return hold != null
                ? hold
                : readers().stream()
                        .reduce((one, later) -> later)
                        .map(last -> last.with(runToken))
                        .orElse(null);
    }

    /** Returns the hold of a request, or {@code null} if it does not hold the lock. */
    @Nullable
    MemoryHold hold(String id) {
        return hold != null && hold.id().equals(id) ? hold : readers.get(id);
    }

    /** Returns the readers in the order in which their leases end. */
    List<MemoryHold> readers() {
        return readers.values().stream()
                .sorted(Comparator.comparingLong(MemoryHold::until).thenComparing(MemoryHold::id))
                .toList();
    }

    long runToken() {
        return runToken;
    }

    /** Grants the lock to one request alone. */
    void hold(MemoryHold next) {
        hold = next;
    }

    /** Makes a request one of the readers of the lock. The first one begins a run. */
    void share(MemoryHold reader) {
        if (readers.isEmpty()) {
            runToken = reader.token();
        }
        readers.put(reader.id(), reader);
    }

    /** Replaces the hold of a request. */
    void replace(String id, MemoryHold next) {
        if (readers.remove(id) != null) {
            readers.put(next.id(), next);
        } else {
            hold = next;
        }
    }

    /** Takes the lock from a request. */
    void release(String id) {
        readers.remove(id);
        if (hold != null && hold.id().equals(id)) {
            hold = null;
        }
    }

    /** Takes the lock from all that hold it. */
    void free() {
        hold = null;
        readers.clear();
    }

    boolean isFree() {
        return hold == null && readers.isEmpty();
    }

    boolean isShared() {
        return !readers.isEmpty();
    }

    /** Returns whether a hand-over may grant the lock to a waiter. */
    boolean isOpen() {
        return isFree() || isShared() && (!name.semaphore() || size(Integer.MAX_VALUE) > used());
    }

    /** States the size of a semaphore. */
    void state(@Nullable LockPermits permits, long until) {
        if (permits != null) {
            sizes.merge(permits.size(), until, Math::max);
        }
    }

    /** Sets the size of a semaphore until a time. */
    void set(int size, long until) {
        set = size;
        setUntil = until;
    }

    /**
     * Returns the size of a semaphore for a process: the one that was set, or else the smallest one that is stated.
     *
     * @param own the size that the process states, perhaps not lately
     */
    int size(int own) {
        return set >= 0 ? set : sizes.keySet().stream().reduce(own, Math::min);
    }

    /** Returns how many permits of a semaphore are in use. */
    int used() {
        return readers.values().stream().mapToInt(MemoryHold::count).sum();
    }

    /** Returns whether a request asks for more permits than there may be. */
    boolean isTooLarge(AcquireCommand.Request request) {
        LockPermits permits = request.permits();
        return permits != null && permits.count() > size(permits.size());
    }

    /**
     * Returns whether a request can be granted the lock. A request for several locks may still hold some of them after
     * losing the others.
     */
    boolean isOpenTo(AcquireCommand.Request request) {
        LockPermits permits = request.permits();
        if (permits != null) {
            return permits.count() <= size(permits.size()) - used();
        }
        return isFree()
                || isHeldBy(request.id())
                || isShared() && request.shared().contains(name);
    }

    /** Returns the requests that await a condition. */
    MemoryList list(String condition) {
        return lists.computeIfAbsent(condition, any -> new MemoryList());
    }

    /**
     * Returns whether a request awaits its condition. A request whose process was forgotten since it came does not.
     */
    boolean awaits(AcquireCommand.Request request, String instance) {
        MemoryWaiter waiter = list(request.condition()).waiter(request.id());
        MemoryProcess process = processes.get(instance);
        return waiter != null && process != null && waiter.arrival() >= process.born();
    }

    /** Notes that a process whose requests await a condition is alive. Returns as {@link #hear} does. */
    boolean hearAt(String condition, String instance, boolean polls, long recheckMicros, long now) {
        boolean noted = hear(instance, polls, recheckMicros, true, now);
        list(condition).keepUntil(processesUntil);
        return noted;
    }

    /** Lets the queue live as long as what is known of its processes. */
    void keepQueue() {
        queueUntil = Math.max(queueUntil, processesUntil);
    }

    boolean isHeldBy(String id) {
        return hold(id) != null;
    }

    List<MemoryWaiter> queue() {
        return queue;
    }

    @Nullable
    MemoryWaiter waiter(String id) {
        return queue.stream()
                .filter(waiter -> waiter.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    long lastArrival() {
        return queue.isEmpty() ? 0 : queue.get(queue.size() - 1).arrival();
    }

    /** Adds the waiter to the queue, unless the waiter is already in the queue. */
    void join(MemoryWaiter waiter) {
        if (waiter(waiter.id()) == null) {
            // a waiter for several names may have lost its place in this queue only: it gets its old place back
            queue.add((int) queue.stream().filter(waiter::isAfter).count(), waiter);
        }
    }

    /**
     * Notes that a process whose waiters are in the queue is alive. Returns {@code false} if the process was heard at
     * most a quarter of a recheck ago, and is notified as before.
     *
     * @param first whether the queue was empty before: the queue then lives as long as what is known of its processes
     */
    boolean hear(String instance, boolean polls, long recheckMicros, boolean first, long now) {
        MemoryProcess known = processes.get(instance);
        long span = recheckMicros * 4;
        boolean noted = known == null || known.polls() || polls || !known.wasHeardJustNow(span, now);
        if (noted) {
            if (processesUntil == 0 || 2 * (now - seen) > 3 * Math.min(least, recheckMicros)) {
                began = now;
                least = recheckMicros;
            }
            least = Math.min(least, recheckMicros);
            seen = now;
            queueUntil = Math.max(queueUntil, now + KEPT_RECHECKS * recheckMicros);
            processesUntil = Math.max(processesUntil, now + KEPT_RECHECKS * recheckMicros);
            long born = known == null ? now : known.born();
            processes.put(
                    instance,
                    known == null || known.until() < now + span
                            ? new MemoryProcess(now + span, span, born, polls)
                            : new MemoryProcess(known.until(), known.span(), born, polls));
        }
        if (first) {
            queueUntil = Math.max(queueUntil, processesUntil);
        }
        return noted;
    }

    /** Returns the time since which a process is known, silent or not; {@code now} if nothing is known of it. */
    long born(String instance, long now) {
        MemoryProcess process = processes.get(instance);
        return process == null ? now : process.born();
    }

    /** Returns a living process, or {@code null} if the process is gone. A process that was silent is forgotten. */
    @Nullable
    MemoryProcess process(String instance) {
        MemoryProcess process = processes.get(instance);
        if (process != null && seen > Math.max(process.until(), began + process.span())) {
            processes.remove(instance);
            return null;
        }
        return process;
    }

    void remove(String id) {
        queue.removeIf(waiter -> waiter.id().equals(id));
        forgetIfWithoutWaiters();
    }

    private void forgetIfWithoutWaiters() {
        if (queue.isEmpty()) {
            queueUntil = 0;
        }
    }

    /** Returns whether the name is neither held, nor kept, nor awaited, nor one of its conditions. */
    boolean isUnused() {
        return isFree() && queue.isEmpty() && lists.isEmpty();
    }

    /** Returns whether nothing is known of the name. */
    boolean isEmpty() {
        return isUnused() && processesUntil == 0 && sizes.isEmpty() && set < 0;
    }

    /** Returns the state of the lock with some of its waiters. */
    LockState inspect(int waiters, long now) {
        List<LockWaiter> first = queue().stream()
                .limit(waiters)
                .map(waiter -> new LockWaiter(
                        waiter.request().label(),
                        waiter.request().owner(),
                        Duration.of(Math.max(0, now - waiter.arrival()), ChronoUnit.MICROS)))
                .toList();
        return new LockState(
                name.namespace(),
                name.name(),
                Optional.ofNullable(hold()).map(hold -> hold.seen(now)),
                first,
                queue().size(),
                readers().stream().map(reader -> reader.seen(now)).toList(),
                name.semaphore() ? Optional.of(permits()) : Optional.empty());
    }

    /** Returns the size of the semaphore, and its permits in use. */
    LockState.Permits permits() {
        boolean known = set >= 0 || !sizes.isEmpty();
        return new LockState.Permits(known ? OptionalInt.of(size(Integer.MAX_VALUE)) : OptionalInt.empty(), used());
    }
}
