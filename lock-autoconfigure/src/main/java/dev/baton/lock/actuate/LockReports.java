package dev.baton.lock.actuate;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockState;
import dev.baton.lock.support.CurrentLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Reports of the endpoint, as they are written as JSON. Durations are milliseconds. */
public final class LockReports {

    private LockReports() {}

    /**
     * The locks and permits that this process holds and waits for.
     *
     * @param held the leases of this process, the longest first
     * @param waiting the waiting requests of this process, the longest first
     * @param atConditions the requests of this process that await conditions, the longest first
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
            List<AtCondition> atConditions,
            @Nullable List<Deadlock> deadlocks,
            @Nullable String problem)
            implements OperationResponseBody {}

    /**
     * A lease of this process.
     *
     * @param locks the names, sanitized unless they may be shown
     * @param remainingMillis the remaining time of the lease in Redis, or {@code null} if Redis was not or could not be
     *     asked, or no longer has the lease
     * @param queue the waiters for any of the locks in Redis, or {@code null} if Redis could not be asked
     * @param permits how many permits of the semaphore are held, or {@code null} if these are locks
     */
    public record Held(
            List<String> locks,
            String scope,
            String owner,
            String label,
            long token,
            long heldMillis,
            @Nullable Long remainingMillis,
            @Nullable List<Waiter> queue,
            @Nullable Integer permits) {}

    /**
     * A waiting request of this process.
     *
     * @param holder the holder of one of the locks, or {@code null} if there is none, or Redis was not or could not be
     *     asked. Of a semaphore, a holder whose lease ends first
     * @param permits how many permits of the semaphore are requested, or {@code null} if these are locks
     */
    public record Waiting(
            List<String> locks,
            String scope,
            String owner,
            String label,
            long waitedMillis,
            @Nullable Holder holder,
            @Nullable Integer permits) {}

    /**
     * A request of this process that awaits a condition, or waits for its lock to come back from there.
     *
     * @param waitedMillis how long ago the lock was given away
     */
    public record AtCondition(
            List<String> locks, String scope, String owner, String label, String condition, long waitedMillis) {}

    /**
     * The holder of a lock, or of permits.
     *
     * @param permits how many permits it has, or {@code null} if it holds a lock
     */
    public record Holder(
            String label,
            String owner,
            long token,
            long heldMillis,
            long remainingMillis,
            @Nullable Integer permits) {}

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
     * A page of the locks that any process holds, and of the semaphores with permits in use.
     *
     * @param next the cursor of the next page, or {@code null} if this page is the last
     * @param deadlocks the cycles among the locks of this page
     */
    public record Fleet(List<Lock> locks, @Nullable String next, List<Deadlock> deadlocks)
            implements OperationResponseBody {}

    /**
     * The state of a lock or a semaphore in Redis.
     *
     * @param holder the holder; of several readers, one whose lease ends last; of several holders of permits, one whose
     *     lease ends first
     * @param readers all readers of a lock in shared mode, or {@code null} if it is free or exclusive
     * @param permits the permits of a semaphore, or {@code null} if this is a lock
     */
    public record Lock(
            String name,
            @Nullable Holder holder,
            long waiting,
            List<Waiter> queue,
            @Nullable List<Holder> readers,
            @Nullable Permits permits)
            implements OperationResponseBody {}

    /**
     * The permits of a semaphore.
     *
     * @param size how many may be in use, or {@code null} if no process has stated a size lately
     * @param used how many are in use
     * @param holders all that have permits, in the order in which their leases end
     */
    public record Permits(@Nullable Integer size, int used, List<Holder> holders) {}

    /**
     * The result of a force-release.
     *
     * @param released whether the lock was held
     * @param holder the holder just before the release, or {@code null} if there was none
     */
    public record Released(
            String name, boolean released, @Nullable Holder holder) implements OperationResponseBody {}

    static Held held(CurrentLocks.Current lease, List<LockState> states, NameView names) {
        return held(
                lease,
                states.stream()
                        .flatMap(state -> remaining(state, lease).stream())
                        .findFirst()
                        .orElse(null),
                states.stream().flatMap(state -> queue(state).stream()).toList(),
                names);
    }

    /**
     * Returns what is left of a lease, or empty if it is over. All readers of a lock have the same token, and each has
     * a lease of its own.
     */
    private static Optional<Long> remaining(LockState state, CurrentLocks.Current lease) {
        String owner = lease.request().owner();
        Stream<LockHolder> holders = state.readers().isEmpty()
                ? state.holder().stream()
                : state.readers().stream().filter(reader -> reader.owner().equals(owner));
        return holders.filter(holder -> holder.fencingToken() == lease.fencingToken())
                .findFirst()
                .map(holder -> holder.remaining().toMillis());
    }

    /** Returns what this process knows without the store. */
    static Instance withoutStore(
            String problem,
            List<CurrentLocks.Current> held,
            List<CurrentLocks.Current> waiting,
            List<CurrentLocks.AtCondition> atConditions,
            NameView names) {
        return new Instance(
                held.stream().map(lease -> held(lease, null, null, names)).toList(),
                waiting.stream()
                        .map(request -> waiting(request, List.of(), names))
                        .toList(),
                atConditions(atConditions, names),
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
                queue,
                permits(lease.request()));
    }

    private static @Nullable Integer permits(LockListener.Request request) {
        LockPermits permits = request.permits();
        return permits == null ? null : permits.count();
    }

    static List<AtCondition> atConditions(List<CurrentLocks.AtCondition> all, NameView names) {
        return all.stream()
                .map(one -> new AtCondition(
                        names.of(one.request().names(), one.request().scope()),
                        one.request().scope(),
                        one.request().owner(),
                        one.request().label(),
                        one.condition(),
                        one.lasting().toMillis()))
                .toList();
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
                        .orElse(null),
                permits(request.request()));
    }

    static Lock lock(LockState state, NameView names) {
        return new Lock(
                names.of(state.name()),
                state.holder().map(LockReports::holder).orElse(null),
                state.waiting(),
                queue(state),
                state.isShared() ? holders(state) : null,
                state.permits()
                        .map(permits -> new Permits(
                                permits.size().isPresent() ? permits.size().getAsInt() : null,
                                permits.used(),
                                holders(state)))
                        .orElse(null));
    }

    private static List<Holder> holders(LockState state) {
        return state.readers().stream().map(LockReports::holder).toList();
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
                holder.remaining().toMillis(),
                holder.permits() == 0 ? null : holder.permits());
    }

    private static List<Waiter> queue(LockState state) {
        return state.waiters().stream()
                .map(waiter -> new Waiter(
                        waiter.label(), waiter.owner(), waiter.waitedFor().toMillis()))
                .toList();
    }
}
