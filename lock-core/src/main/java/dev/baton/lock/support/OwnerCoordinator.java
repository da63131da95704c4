package dev.baton.lock.support;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/*
 * Overview. A thread makes one request at a time. A chosen owner may request the same lock in several threads at once,
 * and each request has an acquisition of its own. The first request that is granted creates the hold. That request then has
 * the others leave the queue and enter the hold. The others must not wait until their own owner releases the lock.
 *
 * A request is listed before it looks for a hold. A granted request lists its hold before it looks for other requests.
 * One of the two therefore sees the other.
 */
/** Lets concurrent requests of the same owner share one hold. */
final class OwnerCoordinator {

    private final ConcurrentHashMap<ReentrantHold.Key, Set<Asker>> asking = new ConcurrentHashMap<>();
    private final Predicate<ReentrantHold.Key> isHeld;
    private final TimeSource time;
    private final long commandTimeoutNanos;

    /**
     * Creates the coordinator.
     *
     * @param isHeld whether there is a hold that can be entered
     */
    OwnerCoordinator(Predicate<ReentrantHold.Key> isHeld, TimeSource time, long commandTimeoutNanos) {
        this.isHeld = isHeld;
        this.time = time;
        this.commandTimeoutNanos = commandTimeoutNanos;
    }

    /** Enters the owner's hold or asks for a grant. */
    interface Attempt {

        /**
         * Tries once.
         *
         * @param begun called with the acquisition, if there is one, before its first command is sent
         */
        DefaultLease make(LockRequest request, Consumer<Acquisition> begun);

        /** Enters the owner's hold without requesting the lock. Returns {@code null} if there is none. */
        @Nullable
        DefaultLease enter();
    }

    /**
     * Attempts to acquire as often as needed: an attempt may be refused only because another thread of its owner was
     * granted the lock.
     */
    DefaultLease acquire(ReentrantHold.Key key, String owner, LockRequest request, WaitTime wait, Attempt attempt) {
        long deadline = time.nanoTime() + boundNanos(wait);
        LockRequest next = request.waitTime(wait);
        while (true) {
            Asker asker = ask(key);
            try {
                DefaultLease lease = attempt.make(next, asker::begun);
                others(asker).forEach(Asker::enter);
                return lease;
            } catch (LockTimeoutException ex) {
                if (!isOurs(asker, owner, ex)) {
                    throw ex;
                }
                if (!wait.isUnbounded()) {
                    long left = deadline - time.nanoTime();
                    if (left <= 0) {
                        return entered(attempt, ex);
                    }
                    next = request.waitTime(WaitTime.of(Duration.ofNanos(left)));
                }
            } finally {
                unlist(asker);
            }
        }
    }

    /** Enters the owner's hold, or fails, after the wait is over: the store would answer another request too late. */
    private static DefaultLease entered(Attempt attempt, LockTimeoutException otherwise) {
        DefaultLease lease = attempt.enter();
        if (lease == null) {
            throw otherwise;
        }
        return lease;
    }

    /** Returns how long a request may wait in all, in nanoseconds; 0 means without a bound. */
    long boundNanos(WaitTime wait) {
        return wait.isNone() ? commandTimeoutNanos : wait.isUnbounded() ? 0 : nanos(wait.duration());
    }

    /** Lists a request that begins. The caller must {@linkplain #ended end} the request. */
    Asker ask(ReentrantHold.Key key) {
        Asker asker = new Asker(key);
        list(asker);
        return asker;
    }

    /** Ends a request. If the request was granted, the other requests of its owner enter its hold. */
    void ended(Asker asker, boolean granted) {
        if (granted) {
            others(asker).forEach(Asker::enter);
        }
        unlist(asker);
    }

    /**
     * Returns whether a request was refused because of its own owner, so that there is, or will be, a hold to enter.
     * Returns {@code false} if the owner has released the lock and only keeps it for a while.
     */
    boolean isOurs(Asker asker, String owner, LockTimeoutException ex) {
        LockHolder holder = ex.holder().orElse(null);
        if (asker.entering || holder == null || !holder.owner().equals(owner)) {
            return asker.entering;
        }
        // in this order: a granted request lists the hold, and has the others enter it, before the request ends
        return others(asker).stream().anyMatch(other -> other.mayHave(holder.fencingToken()))
                || isHeld.test(asker.key)
                || asker.entering;
    }

    /** Returns the number of owners, counted per set of locks, with requests in progress. */
    int size() {
        return asking.size();
    }

    private static long nanos(Duration duration) {
        return RequestDefaults.bounded(duration).toNanos();
    }

    private void list(Asker asker) {
        asking.compute(asker.key, (key, known) -> {
            Set<Asker> askers = known == null ? ConcurrentHashMap.newKeySet() : known;
            askers.add(asker);
            return askers;
        });
    }

    private void unlist(Asker asker) {
        asking.computeIfPresent(asker.key, (key, askers) -> {
            askers.remove(asker);
            return askers.isEmpty() ? null : askers;
        });
    }

    private Set<Asker> others(Asker asker) {
        Set<Asker> askers = asking.getOrDefault(asker.key, Set.of());
        return askers.size() < 2
                ? Set.of()
                : askers.stream().filter(other -> other != asker).collect(Collectors.toSet());
    }

    /** One request in progress. */
    final class Asker {

        private final ReentrantHold.Key key;
        private volatile @Nullable Acquisition acquisition;
        private volatile boolean entering;

        Asker(ReentrantHold.Key key) {
            this.key = key;
        }

        void begun(Acquisition begun) {
            acquisition = begun;
            if (entering || isHeld.test(key)) {
                enter();
            }
        }

        /**
         * Returns whether this request may be the one that was granted the lock with this token, without knowing it
         * yet.
         */
        private boolean mayHave(long token) {
            Acquisition asking = acquisition;
            return asking != null && (asking.isWaiting() ? !asking.status().isOvertaken(token) : asking.wasGranted());
        }

        /** Ends the wait, because there is a hold to enter. */
        void enter() {
            entering = true;
            Acquisition waiting = acquisition;
            if (waiting != null) {
                waiting.settle(Outcome.REFUSED);
            }
        }
    }
}
