package dev.baton.lock.engine.wait;

import dev.baton.lock.engine.ticket.Ticket;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
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
 * Repeats the acquires of local waiters. Waiters of the same names, recheck interval and polling interval form a group,
 * which has one timer. A recheck finds what no message announced: an expired holder, a deleted key, a lost message, a
 * failover. A recheck also shows the store that this process is alive.
 *
 * <p>The oldest waiter asks on behalf of all that have a place in the queue: the store grants in the order of the queue,
 * so the others are still there if the oldest is. If it is not, all ask again. Waiters that poll have no place, but the
 * oldest asks on their behalf as well: as long as the lock is busy for one of them, it is busy for all.
 *
 * <p>Sends many acquires in batches, one at a time. If a batch fails, the remaining waiters are retried in the next
 * round, so a slow store is never flooded.
 *
 * <p>Thread-safe: a group is touched only inside {@code compute} of the map, which is short and never waits.
 */
public final class RecheckScheduler {

    /**
     * Identifies the waiters whose acquires go into one command. The command says how long each of them counts as
     * alive.
     *
     * @param polling the longest pause between two polls, or {@code null} if the waiters do not poll
     */
    private record Key(
            List<LockName> names,
            @Nullable Duration recheck,
            @Nullable Duration polling) {

        static Key of(Ticket ticket) {
            return new Key(
                    ticket.names(), ticket.spec().recheck(), ticket.spec().polling());
        }

        /** Returns whether the store is to notify of the locks. */
        boolean isWatched() {
            return polling == null;
        }
    }

    /** What came of an acquire. */
    enum Result {
        /** It was answered, or no ticket waited any longer. */
        ANSWERED,
        /** It was answered, and its tickets may have had no place in the queue before. */
        JOINED,
        /** It was not answered. */
        FAILED
    }

    /** Sends acquires to the store. */
    @FunctionalInterface
    interface Asker {

        /**
         * Sends an acquire for tickets of one group, and calls {@link RecheckScheduler#await} for those that still wait.
         *
         * @param behind further tickets of the group that the answer concerns; they are in the queue behind these
         * @param inTurn whether the tickets ask only because their recheck is due
         * @return what came of it; never fails, and completes after the call of {@link RecheckScheduler#await}
         */
        CompletableFuture<Result> ask(List<Ticket> tickets, List<Ticket> behind, boolean inTurn);
    }

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
        Key own = Key.of(waiting.get(0));
        groups.compute(own, (key, known) -> {
            RecheckGroup group = known == null ? new RecheckGroup() : known;
            for (Ticket ticket : waiting) {
                if (ticket.isWaiting()) {
                    group.waiting.putIfAbsent(ticket.id(), ticket);
                }
            }
            if (group.waiting.isEmpty()) {
                return known == null ? null : gone(key, group);
            }
            fresh.set(known == null);
            group.fireAt(time.nanoTime() + delayNanos, delayNanos, key);
            return group;
        });
        if (fresh.get() && own.isWatched()) {
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
            return group.waiting.isEmpty() ? gone(key, group) : group;
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

    /**
     * Has the watching waiters for a lock ask now, or after the round that is under way, whether they ask for this lock
     * alone or for others too.
     */
    void fireSoonWith(LockName name) {
        for (Key key : groups.keySet()) {
            if (key.isWatched() && key.names().contains(name)) {
                executors.onAsker(0, () -> fire(key, false, false));
            }
        }
    }

    /** Has all waiters ask now, whatever is under way, because messages and answers may have been lost. */
    void fireAll() {
        groups.forEach((key, group) -> executors.onAsker(0, () -> {
            group.stopAwaiting(key);
            fire(key, false, true);
        }));
    }

    /** Returns the number of awaited names, where names that are requested together count as one. */
    public int size() {
        return (int) groups.keySet().stream().map(Key::names).distinct().count();
    }

    private void fire(Key key, boolean inTurn, boolean restart) {
        AtomicReference<@Nullable RecheckRound> begun = new AtomicReference<>();
        groups.computeIfPresent(key, (same, group) -> {
            group.cancel();
            group.waiting.values().removeIf(ticket -> !ticket.isWaiting());
            if (group.waiting.isEmpty()) {
                return gone(key, group);
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

    private @Nullable RecheckGroup gone(Key key, RecheckGroup group) {
        group.cancel();
        if (key.isWatched()) {
            watches.end(key.names());
        }
        return null;
    }

    /** The waiters of one key, by arrival. */
    private final class RecheckGroup {

        private final Map<String, Ticket> waiting = new LinkedHashMap<>();
        private @Nullable ScheduledFuture<?> timer;
        private long due;
        /** The round that is under way, or {@code null} if there is none. Written inside {@code compute} only. */
        private volatile @Nullable RecheckRound round;
        /** Whether another round is due as soon as the present one has ended. */
        private boolean again;

        /** Lets all waiters that await conditions ask for their locks. */
        void stopAwaiting(Key key) {
            groups.computeIfPresent(key, (same, group) -> {
                group.waiting.values().forEach(Asking::stopAwaiting);
                return group;
            });
        }

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

    /**
     * Sends the acquire of the oldest waiter of a group, and then those of the waiters without a place in the queue,
     * until another round replaces this one. Runs on the asker's thread.
     */
    private final class RecheckRound {

        private final Key key;
        private final RecheckGroup group;
        private final boolean inTurn;
        private final @Nullable Ticket oldest;
        /** The waiters behind the oldest that have a place in the queue. */
        private final List<Ticket> behind = new ArrayList<>();
        /** The waiters that ask for themselves, by arrival. */
        private final List<Ticket> single = new ArrayList<>();
        /** Whether the oldest has asked, if there is one. */
        private boolean begun;

        private int from;
        /** Whether a command was not answered, so that the remaining waiters do not ask in this round. */
        private boolean brokenOff;

        RecheckRound(Key key, RecheckGroup group, List<Ticket> waiting, boolean inTurn) {
            this.key = key;
            this.group = group;
            this.inTurn = inTurn;
            for (Ticket ticket : waiting) {
                // the answer names one holder of a lock that readers share, so each reader asks for itself
                (ticket.isQueued() && ticket.spec().shared().isEmpty() ? behind : single).add(ticket);
            }
            this.oldest = behind.isEmpty() ? null : behind.remove(0);
        }

        private int batch() {
            return key.names().size() == 1 ? AcquireCommand.MAX_REQUESTS : 1;
        }

        void goOn() {
            while (hasNext() && !brokenOff && group.round == this) {
                CompletableFuture<Result> asked = askNext();
                if (!asked.isDone()) {
                    asked.thenAccept(result -> executors.onAsker(0, () -> {
                        answered(result);
                        goOn();
                    }));
                    return;
                }
                answered(asked.join());
            }
            ended(this);
        }

        private boolean hasNext() {
            return !begun && oldest != null || from < single.size();
        }

        private CompletableFuture<Result> askNext() {
            if (!begun && oldest != null) {
                begun = true;
                return ask(List.of(oldest), List.copyOf(behind));
            }
            begun = true;
            int to = Math.min(single.size(), from + batch());
            List<Ticket> tickets = single.subList(from, to);
            from = to;
            return ask(tickets, List.of());
        }

        /**
         * Notes what came of a command. Waiters without an answer come back after a pause, and then the whole group
         * asks.
         */
        private void answered(Result result) {
            brokenOff = result == Result.FAILED;
            if (result != Result.ANSWERED && from == 0 && !behind.isEmpty()) {
                // the oldest had lost its place, or the answer that says so was lost. The others may have lost theirs,
                // so they ask for themselves, in their order: in this round, or in the one after a failure
                behind.forEach(Ticket::unqueued);
                single.addAll(0, behind);
                behind.clear();
            }
        }

        private CompletableFuture<Result> ask(List<Ticket> tickets, List<Ticket> others) {
            try {
                return asker.ask(tickets, others, inTurn);
            } catch (RuntimeException ex) {
                brokenOff = true;
                ended(this);
                throw ex;
            }
        }
    }
}
