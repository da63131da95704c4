package dev.baton.lock.support;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.ticket.Claim;
import dev.baton.lock.engine.ticket.ClaimGroup;
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
 * Overview. A thread asks for one thing at a time; a chosen owner may ask for the same lock in several threads at once. Each
 * has a claim of its own. The first to be granted makes the hold, and has the others leave the queue and enter it: they must
 * not wait until their own owner gives it back.
 *
 * Who asks is listed before it looks for a hold, and who is granted lists the hold before it looks for others who ask: one of
 * the two sees the other.
 */
/** Has those who ask at the same time for the same owner share one hold. */
final class OwnerCoordinator {

    private final ConcurrentHashMap<ReentrantHold.Key, Set<Asker>> asking = new ConcurrentHashMap<>();
    private final Predicate<ReentrantHold.Key> isHeld;
    private final TimeSource time;
    private final long commandTimeoutNanos;

    /**
     * Creates it.
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
         * @param begun given the claim, if there is one, before it is asked for
         */
        DefaultLease make(LockRequest request, Consumer<Claim> begun);

        /** Enters the owner's hold and asks nobody; null: there is none. */
        @Nullable
        DefaultLease enter();
    }

    /** As often as it takes: a try may be refused just because another thread of its owner has been granted the lock. */
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

    /** The wait is over: another question would be answered too late. */
    private static DefaultLease entered(Attempt attempt, LockTimeoutException otherwise) {
        DefaultLease lease = attempt.enter();
        if (lease == null) {
            throw otherwise;
        }
        return lease;
    }

    /** How long one may wait in all; 0: without a bound. */
    long boundNanos(WaitTime wait) {
        return wait.isNone() ? commandTimeoutNanos : wait.isUnbounded() ? 0 : nanos(wait.duration());
    }

    /** Somebody begins to ask; to be {@linkplain #ended ended}. */
    Asker ask(ReentrantHold.Key key) {
        Asker asker = new Asker(key);
        list(asker);
        return asker;
    }

    /** Somebody asks no more. If he was granted the lock, others of his owner enter his hold. */
    void ended(Asker asker, boolean granted) {
        if (granted) {
            others(asker).forEach(Asker::enter);
        }
        unlist(asker);
    }

    /**
     * Whether who refused an asker was his own owner, so that there is, or will be, a hold to enter. Not if the owner has released the
     * lock, and only keeps it for a while.
     */
    boolean isOurs(Asker asker, String owner, LockTimeoutException ex) {
        LockHolder holder = ex.getHolder().orElse(null);
        if (asker.entering || holder == null || !holder.owner().equals(owner)) {
            return asker.entering;
        }
        // in this order: who is granted lists the hold, and has the others enter it, before he stops asking
        return others(asker).stream().anyMatch(other -> other.mayHave(holder.fencingToken()))
                || isHeld.test(asker.key)
                || asker.entering;
    }

    /** Owners for whom somebody asks. */
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

    /** One thread that asks. */
    final class Asker {

        private final ReentrantHold.Key key;
        private volatile @Nullable Claim claim;
        private volatile boolean entering;

        Asker(ReentrantHold.Key key) {
            this.key = key;
        }

        void begun(Claim claim) {
            this.claim = claim;
            if (entering || isHeld.test(key)) {
                enter();
            }
        }

        /** Whether it may be this thread that was granted the lock with this token, without knowing it yet. */
        private boolean mayHave(long token) {
            Claim asking = claim;
            if (asking == null || !asking.isWaiting()) {
                return asking != null && asking.wasGranted();
            }
            ClaimGroup cohort = asking.cohort();
            return cohort == null ? !asking.isOvertaken(token) : !cohort.isOvertaken(token);
        }

        /** There is a hold to enter: do not wait any more. */
        void enter() {
            entering = true;
            Claim waiting = claim;
            if (waiting != null) {
                waiting.settled.complete(Outcome.REFUSED);
            }
        }
    }
}
