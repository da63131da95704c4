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
 * Tracks, up to a bound, the releases whose callers do not wait for the answer. Logs one warning for each release that
 * stays unanswered for a command time-out. All releases share one timer. Thread-safe.
 */
public final class UnconfirmedReleases {

    /** The logger of {@link LeaseReleaser}: to users a release is the same, whether its caller waits or not. */
    private static final Logger log = LoggerFactory.getLogger(LeaseReleaser.class);

    /**
     * The bound: far more releases than one connection has under way, and few enough to be listed when the engine
     * stops.
     */
    public static final int MOST = 1_024;

    private final Set<Release> releases = ConcurrentHashMap.newKeySet();
    /** The number of releases that are tracked, or are about to be. */
    private final AtomicInteger count = new AtomicInteger();

    private final AtomicBoolean watching = new AtomicBoolean();
    private final EngineExecutors executors;
    private final TimeSource time;
    private final long patienceNanos;

    /**
     * Creates the tracker.
     *
     * @param patienceNanos the time without an answer after which a warning is due
     */
    UnconfirmedReleases(EngineExecutors executors, TimeSource time, long patienceNanos) {
        this.executors = executors;
        this.time = time;
        this.patienceNanos = patienceNanos;
    }

    /** One tracked release, equal only to itself. */
    static final class Release {

        private final String title;
        private final long sentAt;
        /** Whether the warning was logged. */
        private final AtomicBoolean warned = new AtomicBoolean();

        private Release(String title, long sentAt) {
            this.title = title;
            this.sentAt = sentAt;
        }

        /** Logs, at most once, that the release was not confirmed. */
        void warn() {
            if (warned.compareAndSet(false, true)) {
                warnUnconfirmed(title);
            }
        }
    }

    /** Logs that a release was not confirmed. */
    static void warnUnconfirmed(String title) {
        log.warn(
                "The release of lock '{}' was not confirmed; the lock comes free when its lease ends at the latest",
                title);
    }

    /** Reserves room for one more release. Returns {@code false} if there is none. */
    boolean enter() {
        if (count.incrementAndGet() <= MOST) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /** Tracks a release that was sent at the given time, after {@link #enter} has reserved its room. */
    Release begin(String title, long sentAt) {
        Release release = new Release(title, sentAt);
        releases.add(release);
        if (!watching.get()) {
            watchAfter(patienceNanos);
        }
        return release;
    }

    /** Stops tracking a release, because its answer is no longer awaited. */
    void end(Release release) {
        releases.remove(release);
        count.decrementAndGet();
    }

    int size() {
        return count.get();
    }

    /** Logs, once, the releases that have no answer when the engine stops. */
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
