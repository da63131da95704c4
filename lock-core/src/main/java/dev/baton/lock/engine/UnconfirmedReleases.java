package dev.baton.lock.engine;

import dev.baton.lock.time.EngineExecutors;
import dev.baton.lock.time.TimeSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases whose answers nobody waits for, up to a bound. One that stays unanswered for a command time-out is warned of once, by one
 * timer for all of them. Thread-safe.
 */
public final class UnconfirmedReleases {

    /** To its users a release is one thing, whoever waits for it. */
    private static final Logger log = LoggerFactory.getLogger(LeaseReleaser.class);

    /** Far more than one connection has under way, and few enough to be told of at the end. */
    public static final int MOST = 1_024;

    private final Set<Release> releases = ConcurrentHashMap.newKeySet();
    /** As many as there are, or are about to be. */
    private final AtomicInteger count = new AtomicInteger();

    private final AtomicBoolean watching = new AtomicBoolean();
    private final EngineExecutors executors;
    private final TimeSource time;
    private final long patienceNanos;

    /**
     * Creates it.
     *
     * @param patienceNanos after how long without an answer a warning is due
     */
    UnconfirmedReleases(EngineExecutors executors, TimeSource time, long patienceNanos) {
        this.executors = executors;
        this.time = time;
        this.patienceNanos = patienceNanos;
    }

    /** One of them; equal to itself only. */
    static final class Release {

        private final String title;
        private final long sentAt;
        /** Only one warns. */
        private final AtomicBoolean warned = new AtomicBoolean();

        private Release(String title, long sentAt) {
            this.title = title;
            this.sentAt = sentAt;
        }

        /** That it was not confirmed is said once. */
        void warn() {
            if (warned.compareAndSet(false, true)) {
                warnUnconfirmed(title);
            }
        }
    }

    /** Says that a release was not confirmed. */
    static void warnUnconfirmed(String title) {
        log.warn("Releasing lock '{}' was not confirmed; the lock comes free when its lease ends at the latest", title);
    }

    /** Makes room for one more; false: there is none. */
    boolean enter() {
        if (count.incrementAndGet() <= MOST) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /** A release was sent at that time, for which there is room. */
    Release begin(String title, long sentAt) {
        Release release = new Release(title, sentAt);
        releases.add(release);
        if (!watching.get()) {
            watchAfter(patienceNanos);
        }
        return release;
    }

    /** It is not awaited any more. */
    void end(Release release) {
        releases.remove(release);
        count.decrementAndGet();
    }

    int size() {
        return count.get();
    }

    /** Says once which of them the end of the engine leaves without an answer. */
    void report() {
        List<String> titles =
                releases.stream().map(release -> release.title).sorted().toList();
        if (!titles.isEmpty()) {
            log.warn(
                    "Stopping while {} release(s) are not confirmed; their locks come free when their leases end at the"
                            + " latest: {}",
                    titles.size(),
                    titles);
        }
    }

    private void watchAfter(long nanos) {
        if (watching.compareAndSet(false, true) && executors.onAsker(nanos, this::look) == null) {
            watching.set(false);
        }
    }

    private void look() {
        watching.set(false);
        long now = time.nanoTime();
        long next = Long.MAX_VALUE;
        for (Release release : releases) {
            long left = patienceNanos - (now - release.sentAt);
            if (left <= 0) {
                release.warn();
            } else {
                next = Math.min(next, left);
            }
        }
        if (next < Long.MAX_VALUE) {
            watchAfter(next);
        }
    }
}
