package dev.baton.lock.actuate;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockState;
import dev.baton.lock.support.CurrentLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What the endpoint answers, as it is written as JSON. Durations are milliseconds. */
public final class LockReports {

    private LockReports() {}

    /**
     * What this process holds and waits for.
     *
     * @param held its leases, the longest first
     * @param waiting its requests that wait, the longest first
     * @param deadlocks circles of those who wait for each other, if this process holds or waits for every lock of the circle itself:
     *     it looks at no others. A circle of three processes lacks the lock that is between the other two; it is in {@link Fleet} and
     *     on the board only. Null: Redis could not be asked
     * @param problem why Redis could not be asked; what only Redis knows is null then. Null: it was, or there was nothing to ask
     */
    public record Instance(
            List<Held> held,
            List<Waiting> waiting,
            @Nullable List<Deadlock> deadlocks,
            @Nullable String problem) implements OperationResponseBody {}

    /**
     * A lease of this process.
     *
     * @param locks names, sanitized unless they may be shown
     * @param remainingMillis what is left of the lease as Redis knows it; null: it was not or could not be asked, or the lock is free there
     * @param queue those who wait for any of the locks, by Redis; null: it could not be asked
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
     * A request of this process that waits.
     *
     * @param holder who holds one of the locks; null: nobody does, it was not asked for, or Redis could not be asked
     */
    public record Waiting(
            List<String> locks,
            String scope,
            String owner,
            String label,
            long waitedMillis,
            @Nullable Holder holder) {}

    /** Who holds a lock. */
    public record Holder(String label, String owner, long token, long heldMillis, long remainingMillis) {}

    /** One who waits for a lock. */
    public record Waiter(String label, String owner, long waitedMillis) {}

    /** A circle; each waits for the next one's lock, the last for the first one's. */
    public record Deadlock(List<Member> members) {}

    /**
     * One of a circle.
     *
     * @param holds the lock that the one before waits for
     * @param waitsFor the lock that the next one holds
     */
    public record Member(String label, String owner, String holds, String waitsFor) {}

    /**
     * Some of the locks that are held by any process.
     *
     * @param next the cursor of the next page; null: this is the last
     * @param deadlocks circles among the locks of this page
     */
    public record Fleet(List<Lock> locks, @Nullable String next, List<Deadlock> deadlocks)
            implements OperationResponseBody {}

    /** A lock as Redis knows it. */
    public record Lock(String name, @Nullable Holder holder, long waiting, List<Waiter> queue)
            implements OperationResponseBody {}

    /**
     * What became of a force-release.
     *
     * @param released whether somebody held the lock
     * @param holder who did, as seen just before
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
                one.map(state -> state.remaining().toMillis()).orElse(null),
                states.stream().flatMap(state -> queue(state).stream()).toList(),
                names);
    }

    /** What this process knows by itself. */
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
                queue(state));
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
