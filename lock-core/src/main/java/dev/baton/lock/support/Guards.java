package dev.baton.lock.support;

import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One timer per awaited name, and per recheck if requests have some of their own: when it fires, the acquires of all its local
 * waiters are repeated, as one command can do for those of equal rechecks. That picks up
 * whatever no message told: an expired holder, a deleted key, a lost message, a failover; and says that we are alive.
 *
 * <p>A guard is touched only inside {@code compute} of the map, which is short and never waits.
 */
final class Guards {

    /** Whose acquires go into one command: it says how long each of them counts as alive. */
    private record Key(List<LockName> names, @Nullable Duration recheck) {

        static Key of(Claim claim) {
            return new Key(claim.names, claim.manner.recheck());
        }
    }

    private final ConcurrentHashMap<Key, Guard> guards = new ConcurrentHashMap<>();
    private final EngineThreads threads;
    private final TimeSource time;
    private final Consumer<List<Claim>> ask;
    private final Watching watching;

    Guards(EngineThreads threads, TimeSource time, Consumer<List<Claim>> ask) {
        this(threads, time, ask, Watching.NOTHING);
    }

    /**
     * Creates the guards.
     *
     * @param ask sends an acquire for some claims of one name, and comes back with {@link #await} for those still waiting
     * @param watching told for which names there is a guard; inside {@code compute}, so it must be short as well
     */
    Guards(EngineThreads threads, TimeSource time, Consumer<List<Claim>> ask, Watching watching) {
        this.threads = threads;
        this.time = time;
        this.ask = ask;
        this.watching = watching;
    }

    /** These, of one command, still wait, and are to ask again after the delay at the latest. */
    void await(List<LockName> names, List<Claim> waiting, long delayNanos) {
        guards.compute(new Key(names, waiting.get(0).manner.recheck()), (key, known) -> {
            Guard guard = known == null ? new Guard() : known;
            for (Claim claim : waiting) {
                if (claim.isWaiting()) {
                    guard.waiting.putIfAbsent(claim.id, claim);
                }
            }
            if (guard.waiting.isEmpty()) {
                return known == null ? null : gone(names, guard);
            }
            if (known == null) {
                watching.begin(names);
            }
            guard.fireAt(time.nanoTime() + delayNanos, delayNanos, key);
            return guard;
        });
        // one that was granted while it was being added has looked for its guard in vain
        for (Claim claim : waiting) {
            if (!claim.isWaiting()) {
                remove(claim);
            }
        }
    }

    void remove(Claim claim) {
        guards.computeIfPresent(Key.of(claim), (key, guard) -> {
            guard.waiting.remove(claim.id);
            return guard.waiting.isEmpty() ? gone(key.names(), guard) : guard;
        });
    }

    /** Those who wait for these names ask now. */
    void fireSoon(List<LockName> names) {
        for (Key key : guards.keySet()) {
            if (key.names().equals(names)) {
                threads.onAsker(0, () -> fire(key));
            }
        }
    }

    /** Everybody asks now: messages may have been lost. */
    void fireAll() {
        guards.keySet().forEach(key -> threads.onAsker(0, () -> fire(key)));
    }

    /** How many names are awaited. */
    int size() {
        return (int) guards.keySet().stream().map(Key::names).distinct().count();
    }

    private void fire(Key key) {
        List<Claim> waiting = new ArrayList<>();
        guards.computeIfPresent(key, (same, guard) -> {
            guard.cancel();
            guard.waiting.values().removeIf(claim -> !claim.isWaiting());
            waiting.addAll(guard.waiting.values());
            return guard.waiting.isEmpty() ? gone(key.names(), guard) : guard;
        });
        int batch = key.names().size() == 1 ? AcquireCommand.MAX_REQUESTS : 1;
        for (int from = 0; from < waiting.size(); from += batch) {
            int to = Math.min(waiting.size(), from + batch);
            ask.accept(waiting.subList(from, to));
        }
    }

    private @Nullable Guard gone(List<LockName> names, Guard guard) {
        guard.cancel();
        watching.end(names);
        return null;
    }

    /** The waiters of one name and recheck, by arrival. */
    private final class Guard {

        private final Map<String, Claim> waiting = new LinkedHashMap<>();
        private @Nullable ScheduledFuture<?> timer;
        private long due;

        void fireAt(long at, long delayNanos, Key key) {
            if (timer != null && !timer.isDone() && due - at <= 0) {
                return;
            }
            cancel();
            due = at;
            timer = threads.onAsker(delayNanos, () -> fire(key));
        }

        void cancel() {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
        }
    }
}
