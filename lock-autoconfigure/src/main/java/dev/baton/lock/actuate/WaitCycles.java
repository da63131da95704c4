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

/** Finds out who waits for whom in a circle: none of them gets on before one gives up. A pure function of what was seen. */
public final class WaitCycles {

    private final Map<String, List<Edge>> edges = new HashMap<>();
    private final Set<Set<Edge>> found = new HashSet<>();
    private final List<List<Edge>> cycles = new ArrayList<>();

    private WaitCycles() {}

    /**
     * One who waits for another.
     *
     * @param waiter owner that waits
     * @param label the same for people
     * @param waitsFor name of the lock that it waits for
     * @param holder owner that holds it
     */
    public record Edge(String waiter, String label, String waitsFor, String holder) {}

    /** The circles, each once; each edge leads to the next one's waiter, and the last to the first. */
    public static List<List<Edge>> in(Collection<LockState> states) {
        WaitCycles search = new WaitCycles();
        for (LockState state : states) {
            state.holder().ifPresent(holder -> {
                for (LockWaiter waiter : state.waiters()) {
                    search.edges
                            .computeIfAbsent(waiter.owner(), owner -> new ArrayList<>())
                            .add(new Edge(waiter.owner(), waiter.label(), state.name(), holder.owner()));
                }
            });
        }
        Set<String> done = new HashSet<>();
        for (String owner : search.edges.keySet()) {
            search.follow(owner, new ArrayList<>(), done);
        }
        return search.cycles;
    }

    /** Goes on from an owner; the path is no longer than the number of owners that wait. */
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
