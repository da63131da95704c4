package dev.baton.lock.engine.ticket;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The actions of a holder for the case that other requests wait for its lock, and when they ran last. Thread-safe. */
public final class RequestedActions {

    private final List<Entry> entries = new CopyOnWriteArrayList<>();
    /** When the actions ran last, by our monotonic clock, or {@code null} if they never ran. Used by the asker's thread. */
    private @Nullable Long ran;

    private record Entry(BooleanSupplier active, Runnable action) {}

    /**
     * Adds an action.
     *
     * @param active whether the action may still run; once it may not, it is forgotten
     */
    public void add(BooleanSupplier active, Runnable action) {
        entries.removeIf(entry -> !entry.active.getAsBoolean());
        entries.add(new Entry(active, action));
    }

    /** Returns the actions to run now; none if they ran less than the pause ago. Called by one thread alone. */
    public List<Runnable> due(long now, long pauseNanos) {
        entries.removeIf(entry -> !entry.active.getAsBoolean());
        Long last = ran;
        if (entries.isEmpty() || last != null && now - last < pauseNanos) {
            return List.of();
        }
        ran = now;
        return entries.stream().map(Entry::action).toList();
    }
}
