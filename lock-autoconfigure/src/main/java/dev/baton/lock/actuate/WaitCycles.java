package dev.baton.lock.actuate;

import dev.baton.lock.LockState;
import dev.baton.lock.LockWaiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds cycles of owners that wait for each other: no owner of a cycle can proceed before one of them gives up. Leaves
 * semaphores out, because any holder of permits may let a waiter in. A pure function of the given lock states.
 */
public final class WaitCycles {

    private final Map<String, List<Edge>> edges = new HashMap<>();
    private final Set<Set<Edge>> found = new HashSet<>();
    private final List<List<Edge>> cycles = new ArrayList<>();

    private WaitCycles() {}

    /**
     * An owner that waits for another.
     *
     * @param waiter the owner that waits
     * @param label the readable name of the waiting owner
     * @param waitsFor the name of the lock that the owner waits for
     * @param holder the owner that holds the lock
     */
    public record Edge(String waiter, String label, String waitsFor, String holder) {}

    /**
     * Returns each cycle once. Each edge leads to the waiter of the next edge, and the last edge to that of the first.
     */
    public static List<List<Edge>> in(Collection<LockState> states) {
        WaitCycles search = new WaitCycles();
        states.stream().filter(state -> !state.isSemaphore()).forEach(search::add);
        Set<String> done = new HashSet<>();
        for (String owner : search.edges.keySet()) {
            search.follow(owner, new ArrayList<>(), done);
        }
        return search.cycles;
    }

    private void add(LockState state) {
        state.holder().ifPresent(holder -> {
            for (LockWaiter waiter : state.waiters()) {
                edges.computeIfAbsent(waiter.owner(), owner -> new ArrayList<>())
                        .add(new Edge(waiter.owner(), waiter.label(), state.name(), holder.owner()));
            }
        });
    }

    /** Follows the edges from an owner. The path is never longer than the number of waiting owners. */
    private void follow(String owner, List<Edge> path, Set<String> done) {
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).waiter().equals(owner)) {
                List<Edge> cycle = List.copyOf(path.subList(i, path.size()));
                if (found.add(Set.copyOf(cycle))) {
                    cycles.add(cycle);
                }
                return;
            }
        }
        if (done.contains(owner)) {
            return;
        }
        for (Edge edge : edges.getOrDefault(owner, List.of())) {
            path.add(edge);
            follow(edge.holder(), path, done);
            path.remove(path.size() - 1);
        }
        done.add(owner);
    }
}
