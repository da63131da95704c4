package dev.baton.lock.engine.wait;

import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.LockName;
import dev.baton.lock.time.EngineThreads;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One timer per awaited name, and per recheck if requests have some of their own: when it fires, the acquires of all its local
 * waiters are repeated, as one command can do for those of equal rechecks. That picks up
 * whatever no message told: an expired holder, a deleted key, a lost message, a failover; and says that we are alive.
 *
 * <p>Where there are more than fit into one command, the next is sent when the one before was answered, and the rest waits for
 * the next time if it was not: a store that answers more slowly is asked less, and what is repeated can never be more than it
 * can answer.
 *
 * <p>A guard is touched only inside {@code compute} of the map, which is short and never waits.
 */
public final class Guards {

    /** Whose acquires go into one command: it says how long each of them counts as alive. */
    private record Key(List<LockName> names, @Nullable Duration recheck) {

        static Key of(Claim claim) {
            return new Key(claim.names, claim.manner.recheck());
        }
    }

    /** Asks the store. */
    @FunctionalInterface
    interface Asker {

        /**
         * Sends an acquire for some claims of one name, and comes back with {@link Guards#await} for those still waiting.
         *
         * @param inTurn whether nothing but the time has made them ask
         * @return whether it was answered, or nobody waited any more; never fails, and is complete after what comes back
         */
        CompletableFuture<Boolean> ask(List<Claim> claims, boolean inTurn);
    }

    /** However slow the store is: who waits for a dead process waits longer, too. */
    private static final int MOST_RECHECKS = 10;

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ConcurrentHashMap<Key, Guard> guards = new ConcurrentHashMap<>();
    private final EngineThreads threads;
    private final TimeSource time;
    private final Asker asker;
    private final Watching watching;

    Guards(EngineThreads threads, TimeSource time, Asker asker) {
        this(threads, time, asker, Watching.NOTHING);
    }

    /**
     * Creates the guards.
     *
     * @param watching told for which names there is a guard; inside {@code compute}, so it must be short as well
     */
    Guards(EngineThreads threads, TimeSource time, Asker asker, Watching watching) {
        this.threads = threads;
        this.time = time;
        this.asker = asker;
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

    public void remove(Claim claim) {
        guards.computeIfPresent(Key.of(claim), (key, guard) -> {
            guard.waiting.remove(claim.id);
            return guard.waiting.isEmpty() ? gone(key.names(), guard) : guard;
        });
    }

    /** Those who wait for these names ask now. */
    void fireSoon(List<LockName> names) {
        for (Key key : guards.keySet()) {
            if (key.names().equals(names)) {
                threads.onAsker(0, () -> fire(key, false, false));
            }
        }
    }

    /** Everybody asks now, whatever is under way: messages may have been lost, and answers as well. */
    void fireAll() {
        guards.keySet().forEach(key -> threads.onAsker(0, () -> fire(key, false, true)));
    }

    /** How many names are awaited. */
    public int size() {
        return (int) guards.keySet().stream().map(Key::names).distinct().count();
    }

    /**
     * After how long those who wait for the same ask again at the latest: after a recheck, unless there are more than one command
     * can ask for, and the store is so slow that to ask for all of them takes longer. They must not count as dead meanwhile.
     */
    Duration pace(Claim claim, Duration recheck) {
        Guard guard = guards.isEmpty() ? null : guards.get(Key.of(claim));
        long round = guard == null ? 0 : guard.roundNanos;
        if (round <= recheck.toNanos()) {
            return recheck;
        }
        Duration most = recheck.multipliedBy(MOST_RECHECKS);
        Duration slow = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(round) + 1);
        return slow.compareTo(most) < 0 ? slow : most;
    }

    private void fire(Key key, boolean inTurn, boolean anew) {
        AtomicReference<@Nullable Round> begun = new AtomicReference<>();
        guards.computeIfPresent(key, (same, guard) -> {
            guard.cancel();
            guard.waiting.values().removeIf(claim -> !claim.isWaiting());
            if (guard.waiting.isEmpty()) {
                return gone(key.names(), guard);
            }
            if (guard.round != null && !anew) {
                guard.again = true;
            } else {
                Round round = new Round(key, guard, List.copyOf(guard.waiting.values()), inTurn);
                guard.again = false;
                guard.round = round;
                begun.set(round);
            }
            return guard;
        });
        Round round = begun.get();
        if (round != null) {
            round.goOn();
        }
    }

    private void ended(Round round) {
        guards.computeIfPresent(round.key, (key, guard) -> {
            if (guard.round == round) {
                guard.round = null;
                guard.roundNanos = round.isOfOne() ? 0 : time.nanoTime() - round.begunAt;
                if (guard.again) {
                    guard.again = false;
                    guard.fireAt(time.nanoTime(), 0, key);
                } else if (round.brokenOff && guard.timer == null) {
                    // some were refused for good, and the rest was not asked
                    guard.fireAt(time.nanoTime() + REST_NANOS, REST_NANOS, key);
                }
            }
            return guard;
        });
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
        /** The one that is under way; null: none. Written inside compute only. */
        private volatile @Nullable Round round;
        /** Another is due as soon as that has ended. */
        private boolean again;
        /** How long the last one took, if it was of more than one command; may be read at any time. */
        private volatile long roundNanos;

        void fireAt(long at, long delayNanos, Key key) {
            if (timer != null && !timer.isDone() && due - at <= 0) {
                return;
            }
            cancel();
            due = at;
            timer = threads.onAsker(delayNanos, () -> fire(key, true, false));
        }

        void cancel() {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
        }
    }

    /** Questions on behalf of all who wait by one guard, until another round takes its place. On the asker's thread. */
    private final class Round {

        private final Key key;
        private final Guard guard;
        private final List<Claim> waiting;
        private final boolean inTurn;
        private final long begunAt = time.nanoTime();
        private int from;
        /** Not all have asked. */
        private boolean brokenOff;

        Round(Key key, Guard guard, List<Claim> waiting, boolean inTurn) {
            this.key = key;
            this.guard = guard;
            this.waiting = waiting;
            this.inTurn = inTurn;
        }

        /** However long that one command takes, whoever asks it is alive for three rechecks. */
        boolean isOfOne() {
            return waiting.size() <= batch();
        }

        private int batch() {
            return key.names().size() == 1 ? AcquireCommand.MAX_REQUESTS : 1;
        }

        void goOn() {
            int batch = batch();
            while (from < waiting.size() && !brokenOff && guard.round == this) {
                int to = Math.min(waiting.size(), from + batch);
                CompletableFuture<Boolean> answered = ask(waiting.subList(from, to));
                from = to;
                if (!answered.isDone()) {
                    answered.thenAccept(good -> threads.onAsker(0, () -> answered(good)));
                    return;
                }
                brokenOff = !answered.join();
            }
            ended(this);
        }

        /** Those that were not answered come back after a while, and everybody asks then. */
        private void answered(boolean good) {
            brokenOff = !good;
            goOn();
        }

        private CompletableFuture<Boolean> ask(List<Claim> claims) {
            try {
                return asker.ask(claims, inTurn);
            } catch (RuntimeException ex) {
                brokenOff = true;
                ended(this);
                throw ex;
            }
        }
    }
}
