package dev.baton.lock.board;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the events of one time slice. Waits are counted in classes, each a quarter longer than the last. Thread-safe.
 */
final class BoardSlice {

    private static final double SHORTEST_MILLIS = 0.05;
    private static final double STEP = 1.25;

    /** The number of classes of waits; the last class begins at about 18 hours. */
    private static final int CLASSES = 96;

    private final long number;
    private final Map<Count, AtomicLong> counts = new EnumMap<>(Count.class);
    private final AtomicLongArray waits = new AtomicLongArray(CLASSES);
    private final AtomicLong longestNanos = new AtomicLong();

    BoardSlice(long number) {
        this.number = number;
        for (Count count : Count.values()) {
            counts.put(count, new AtomicLong());
        }
    }

    /** The counted events. */
    enum Count {
        GRANTED,
        TIMED_OUT,
        LOST,
        LOCAL,
        REMOTE
    }

    long number() {
        return number;
    }

    void add(Count what) {
        counter(what).incrementAndGet();
    }

    long count(Count what) {
        return counter(what).get();
    }

    private AtomicLong counter(Count what) {
        return Objects.requireNonNull(counts.get(what));
    }

    void waited(Duration wait) {
        waits.incrementAndGet(classOf(millis(wait.toNanos())));
        longestNanos.accumulateAndGet(wait.toNanos(), Math::max);
    }

    double longestMillis() {
        return millis(longestNanos.get());
    }

    /**
     * Returns the wait that this share of the requests did not exceed, at most a quarter too long. Returns 0 if there
     * were no requests, or if the wait is in the shortest class.
     */
    double quantileMillis(double share) {
        long all = 0;
        for (int i = 0; i < CLASSES; i++) {
            all += waits.get(i);
        }
        long rest = (long) Math.ceil(all * share);
        for (int i = 0; i < CLASSES && rest > 0; i++) {
            rest -= waits.get(i);
            if (rest <= 0) {
                return i == 0 ? 0 : Math.min(longestMillis(), SHORTEST_MILLIS * Math.pow(STEP, i));
            }
        }
        return 0;
    }

    /** Returns the class of a wait. Class i counts waits up to {@code SHORTEST_MILLIS * STEP^i}. */
    private static int classOf(double millis) {
        if (millis <= SHORTEST_MILLIS) {
            return 0;
        }
        return Math.min(CLASSES - 1, (int) Math.ceil(Math.log(millis / SHORTEST_MILLIS) / Math.log(STEP)));
    }

    private static double millis(long nanos) {
        return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
