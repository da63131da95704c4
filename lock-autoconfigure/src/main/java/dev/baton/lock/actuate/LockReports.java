package dev.baton.lock.actuate;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.support.CurrentLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Reports of the endpoint, as they are written as JSON. Durations are milliseconds. */
public final class LockReports {

    private LockReports() {}

    /**
     * The locks that this process holds and waits for.
     *
     * @param held the leases of this process, the longest first
     * @param waiting the waiting requests of this process, the longest first
     * @param deadlocks the cycles of waiters that wait for each other, or {@code null} if Redis could not be asked. A
     *     cycle is found only if this process holds or waits for every lock of the cycle: the process inspects no other
     *     locks. In a cycle of three processes, each process lacks the lock between the other two. Only {@link Fleet}
     *     and the board show such a cycle
     * @param problem why Redis could not be asked, or {@code null} if Redis was asked or there was nothing to ask. If
     *     there is a problem, the values that only Redis knows are {@code null}
     */
    public record Instance(
            List<Held> held,
            List<Waiting> waiting,
            @Nullable List<Deadlock> deadlocks,
            @Nullable String problem) implements OperationResponseBody {}

    /**
     * A lease of this process.
     *
     * @param locks the names, sanitized unless they may be shown
     * @param remainingMillis the remaining time of the lease in Redis, or {@code null} if Redis was not or could not be
     *     asked, or no longer has the lease
     * @param queue the waiters for any of the locks in Redis, or {@code null} if Redis could not be asked
     */
    public record Held(
            List<String> locks,
            String scope,
            String owner,
            String label,
            long token,
            long heldMillis,
            @Nullable Long remainingMillis,
            @Nullable List<Waiter> queue) {}

    /**
     * A waiting request of this process.
     *
     * @param holder the holder of one of the locks, or {@code null} if there is none, or Redis was not or could not be
     *     asked
     */
    public record Waiting(
            List<String> locks,
            String scope,
            String owner,
            String label,
            long waitedMillis,
            @Nullable Holder holder) {}

    /** The holder of a lock. */
    public record Holder(String label, String owner, long token, long heldMillis, long remainingMillis) {}

    /** A waiter for a lock. */
    public record Waiter(String label, String owner, long waitedMillis) {}

    /** A cycle. Each member waits for the lock of the next member, and the last member for the lock of the first. */
    public record Deadlock(List<Member> members) {}

    /**
     * A member of a cycle.
     *
     * @param holds the lock that the previous member waits for
     * @param waitsFor the lock that the next member holds
     */
    public record Member(String label, String owner, String holds, String waitsFor) {}

    /**
     * A page of the locks that any process holds.
     *
     * @param next the cursor of the next page, or {@code null} if this page is the last
     * @param deadlocks the cycles among the locks of this page
     */
    public record Fleet(List<Lock> locks, @Nullable String next, List<Deadlock> deadlocks)
            implements OperationResponseBody {}

    /**
     * The state of a lock in Redis.
     *
     * @param holder the holder; of several readers, one whose lease ends last
     * @param readers all readers of a lock in shared mode, or {@code null} if it is free or exclusive
     */
    public record Lock(
            String name,
            @Nullable Holder holder,
            long waiting,
            List<Waiter> queue,
            @Nullable List<Holder> readers) implements OperationResponseBody {}

    /**
     * The result of a force-release.
     *
     * @param released whether the lock was held
     * @param holder the holder just before the release, or {@code null} if there was none
     */
    public record Released(
            String name, boolean released, @Nullable Holder holder) implements OperationResponseBody {}

    static Held held(CurrentLocks.Current lease, List<LockState> states, NameView names) {
        Optional<LockState> one = states.stream()
                .filter(state -> state.holder()
                        .filter(holder -> holder.fencingToken() == lease.fencingToken())
                        .isPresent())
                .findFirst();
        return held(
                lease,
                one.map(state -> remaining(state, lease.request().owner())).orElse(null),
                states.stream().flatMap(state -> queue(state).stream()).toList(),
                names);
    }

    /** Returns what is left of the lease of an owner. Each reader of a lock has a lease of its own. */
    private static long remaining(LockState state, String owner) {
        return state.readers().stream()
                .filter(reader -> reader.owner().equals(owner))
                .findFirst()
                .map(LockHolder::remaining)
                .orElse(state.remaining())
                .toMillis();
    }

    /** Returns what this process knows without the store. */
    static Instance withoutStore(
            String problem, List<CurrentLocks.Current> held, List<CurrentLocks.Current> waiting, NameView names) {
        return new Instance(
                held.stream().map(lease -> held(lease, null, null, names)).toList(),
                waiting.stream()
                        .map(request -> waiting(request, List.of(), names))
                        .toList(),
                null,
                problem);
    }

    private static Held held(
            CurrentLocks.Current lease, @Nullable Long remainingMillis, @Nullable List<Waiter> queue, NameView names) {
        return new Held(
                names.of(lease.request().names(), lease.request().scope()),
                lease.request().scope(),
                lease.request().owner(),
                lease.request().label(),
                lease.fencingToken(),
                lease.lasting().toMillis(),
                remainingMillis,
                queue);
    }

    static Waiting waiting(CurrentLocks.Current request, List<LockState> states, NameView names) {
        return new Waiting(
                names.of(request.request().names(), request.request().scope()),
                request.request().scope(),
                request.request().owner(),
                request.request().label(),
                request.lasting().toMillis(),
                states.stream()
                        .flatMap(state -> state.holder().stream())
                        .findFirst()
                        .map(LockReports::holder)
                        .orElse(null));
    }

    static Lock lock(LockState state, NameView names) {
        return new Lock(
                names.of(state.name()),
                state.holder().map(LockReports::holder).orElse(null),
                state.waiting(),
                queue(state),
                state.isShared()
                        ? state.readers().stream().map(LockReports::holder).toList()
                        : null);
    }

    static Deadlock deadlock(List<WaitCycles.Edge> cycle, NameView names) {
        List<Member> members = new ArrayList<>(cycle.size());
        for (int i = 0; i < cycle.size(); i++) {
            WaitCycles.Edge edge = cycle.get(i);
            WaitCycles.Edge before = cycle.get((i + cycle.size() - 1) % cycle.size());
            members.add(
                    new Member(edge.label(), edge.waiter(), names.of(before.waitsFor()), names.of(edge.waitsFor())));
        }
        return new Deadlock(members);
    }

    static Holder holder(LockHolder holder) {
        return new Holder(
                holder.label(),
                holder.owner(),
                holder.fencingToken(),
                holder.heldFor().toMillis(),
                holder.remaining().toMillis());
    }

    private static List<Waiter> queue(LockState state) {
        return state.waiters().stream()
                .map(waiter -> new Waiter(
                        waiter.label(), waiter.owner(), waiter.waitedFor().toMillis()))
                .toList();
    }
}
