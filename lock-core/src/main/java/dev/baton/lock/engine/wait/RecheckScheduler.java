package dev.baton.lock.engine.wait;

import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the acquires of local waiters. Waiters of the same names and the same recheck interval form a group, which
 * has one timer. A recheck finds what no message announced: an expired holder, a deleted key, a lost message, a
 * failover. A recheck also shows the store that the waiters are alive.
 *
 * <p>Sends large groups in batches, one at a time. If a batch fails, the remaining waiters are retried in the next
 * round, so a slow store is never flooded.
 *
 * <p>Thread-safe: a group is touched only inside {@code compute} of the map, which is short and never waits.
 */
public final class RecheckScheduler {

    /**
     * Identifies the waiters whose acquires go into one command. The command says how long each of them counts as
     * alive.
     */
    private record Key(List<LockName> names, @Nullable Duration recheck) {

        static Key of(Ticket ticket) {
            return new Key(ticket.names(), ticket.recheck());
        }
    }

    /** Sends acquires to the store. */
    @FunctionalInterface
    interface Asker {

        /**
         * Sends an acquire for tickets of one group, and calls {@link RecheckScheduler#await} for those that still wait.
         *
         * @param inTurn whether the tickets ask only because their recheck is due
         * @return whether the acquire was answered, or no ticket waited any longer; never fails, and completes after the
         *     call of {@link RecheckScheduler#await}
         */
        CompletableFuture<Boolean> ask(List<Ticket> tickets, boolean inTurn);
    }

    /**
     * The maximum pace in rechecks, however slow the store is: a longer pace also delays waiters behind a dead process.
     */
    private static final int MOST_RECHECKS = 10;

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ConcurrentHashMap<Key, RecheckGroup> groups = new ConcurrentHashMap<>();
    private final EngineExecutors executors;
    private final TimeSource time;
    private final Asker asker;
    private final KeyspaceWatches watches;

    RecheckScheduler(EngineExecutors executors, TimeSource time, Asker asker, LockStore store) {
        this(executors, time, asker, KeyspaceWatches.of(store));
    }

    /**
     * Creates the scheduler.
     *
     * @param watches learns which names have a group. Ends are called inside {@code compute}, so they must be short as well
     */
    RecheckScheduler(EngineExecutors executors, TimeSource time, Asker asker, KeyspaceWatches watches) {
        this.executors = executors;
        this.time = time;
        this.asker = asker;
        this.watches = watches;
    }

    /** Adds waiters of one command to their group, which asks again after the delay at the latest. */
    void await(List<LockName> names, List<Ticket> waiting, long delayNanos) {
        AtomicBoolean fresh = new AtomicBoolean();
        groups.compute(new Key(names, waiting.get(0).recheck()), (key, known) -> {
            RecheckGroup group = known == null ? new RecheckGroup() : known;
            for (Ticket ticket : waiting) {
                if (ticket.isWaiting()) {
                    group.waiting.putIfAbsent(ticket.id(), ticket);
                }
            }
            if (group.waiting.isEmpty()) {
                return known == null ? null : gone(names, group);
            }
            fresh.set(known == null);
            group.fireAt(time.nanoTime() + delayNanos, delayNanos, key);
            return group;
        });
        if (fresh.get()) {
            // not before the group can be found: the store may notify of a freed lock at once
            watches.begin(names);
        }
        // a ticket that was granted while it was added did not find its group, so remove it here
        for (Ticket ticket : waiting) {
            if (!ticket.isWaiting()) {
                remove(ticket);
            }
        }
    }

    public void remove(Ticket ticket) {
        groups.computeIfPresent(Key.of(ticket), (key, group) -> {
            group.waiting.remove(ticket.id());
            return group.waiting.isEmpty() ? gone(key.names(), group) : group;
        });
    }

    /** Has the waiters of these names ask now, or after the round that is under way. */
    void fireSoon(List<LockName> names) {
        for (Key key : groups.keySet()) {
            if (key.names().equals(names)) {
                executors.onAsker(0, () -> fire(key, false, false));
            }
        }
    }

    /** Has all waiters ask now, whatever is under way, because messages and answers may have been lost. */
    void fireAll() {
        groups.keySet().forEach(key -> executors.onAsker(0, () -> fire(key, false, true)));
    }

    /** Returns the number of awaited names, where names that are requested together count as one. */
    public int size() {
        return (int) groups.keySet().stream().map(Key::names).distinct().count();
    }

    /**
     * Returns the time after which the waiters of a group ask again at the latest, usually one recheck. The time is
     * longer if the waiters need several commands, and the store is so slow that a round takes longer than a recheck.
     * The waiters must not count as dead meanwhile.
     */
    Duration pace(Ticket ticket, Duration recheck) {
        RecheckGroup group = groups.isEmpty() ? null : groups.get(Key.of(ticket));
        long round = group == null ? 0 : group.roundNanos;
        if (round <= recheck.toNanos()) {
            return recheck;
        }
        Duration most = recheck.multipliedBy(MOST_RECHECKS);
        Duration slow = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(round) + 1);
        return slow.compareTo(most) < 0 ? slow : most;
    }

    private void fire(Key key, boolean inTurn, boolean restart) {
        AtomicReference<@Nullable RecheckRound> begun = new AtomicReference<>();
        groups.computeIfPresent(key, (same, group) -> {
            group.cancel();
            group.waiting.values().removeIf(ticket -> !ticket.isWaiting());
            if (group.waiting.isEmpty()) {
                return gone(key.names(), group);
            }
            if (group.round != null && !restart) {
                group.again = true;
            } else {
                RecheckRound round = new RecheckRound(key, group, List.copyOf(group.waiting.values()), inTurn);
                group.again = false;
                group.round = round;
                begun.set(round);
            }
            return group;
        });
        RecheckRound round = begun.get();
        if (round != null) {
            round.goOn();
        }
    }

    private void ended(RecheckRound round) {
        groups.computeIfPresent(round.key, (key, group) -> {
            if (group.round == round) {
                group.round = null;
                group.roundNanos = round.isOfOne() ? 0 : time.nanoTime() - round.begunAt;
                if (group.again) {
                    group.again = false;
                    group.fireAt(time.nanoTime(), 0, key);
                } else if (round.brokenOff && group.timer == null) {
                    // some waiters were refused for good, and the rest have not asked: begin another round soon
                    group.fireAt(time.nanoTime() + REST_NANOS, REST_NANOS, key);
                }
            }
            return group;
        });
    }

    private @Nullable RecheckGroup gone(List<LockName> names, RecheckGroup group) {
        group.cancel();
        watches.end(names);
        return null;
    }

    /** The waiters of the same names and recheck interval, by arrival. */
    private final class RecheckGroup {

        private final Map<String, Ticket> waiting = new LinkedHashMap<>();
        private @Nullable ScheduledFuture<?> timer;
        private long due;
        /** The round that is under way, or {@code null} if there is none. Written inside {@code compute} only. */
        private volatile @Nullable RecheckRound round;
        /** Whether another round is due as soon as the present one has ended. */
        private boolean again;
        /** The duration of the last round, or 0 if it needed only one command. May be read at any time. */
        private volatile long roundNanos;

        void fireAt(long at, long delayNanos, Key key) {
            if (timer != null && !timer.isDone() && due - at <= 0) {
                return;
            }
            cancel();
            due = at;
            timer = executors.onAsker(delayNanos, () -> fire(key, true, false));
        }

        void cancel() {
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
        }
    }

    /** Sends acquires for all waiters of a group, until another round replaces this one. Runs on the asker's thread. */
    private final class RecheckRound {

        private final Key key;
        private final RecheckGroup group;
        private final List<Ticket> waiting;
        private final boolean inTurn;
        private final long begunAt = time.nanoTime();
        private int from;
        /** Whether a command was not answered, so that the remaining waiters do not ask in this round. */
        private boolean brokenOff;

        RecheckRound(Key key, RecheckGroup group, List<Ticket> waiting, boolean inTurn) {
            this.key = key;
            this.group = group;
            this.waiting = waiting;
            this.inTurn = inTurn;
        }

        /**
         * Returns whether the round needs only one command. However long this command takes, its waiters count as alive
         * for three rechecks.
         */
        boolean isOfOne() {
            return waiting.size() <= batch();
        }

        private int batch() {
            return key.names().size() == 1 ? AcquireCommand.MAX_REQUESTS : 1;
        }

        void goOn() {
            int batch = batch();
            while (from < waiting.size() && !brokenOff && group.round == this) {
                int to = Math.min(waiting.size(), from + batch);
                CompletableFuture<Boolean> answered = ask(waiting.subList(from, to));
                from = to;
                if (!answered.isDone()) {
                    answered.thenAccept(good -> executors.onAsker(0, () -> answered(good)));
                    return;
                }
                brokenOff = !answered.join();
            }
            ended(this);
        }

        /**
         * Continues after an answer. Waiters without an answer come back after a pause, and then the whole group asks.
         */
        private void answered(boolean good) {
            brokenOff = !good;
            goOn();
        }

        private CompletableFuture<Boolean> ask(List<Ticket> tickets) {
            try {
                return asker.ask(tickets, inTurn);
            } catch (RuntimeException ex) {
                brokenOff = true;
                ended(this);
                throw ex;
            }
        }
    }
}
