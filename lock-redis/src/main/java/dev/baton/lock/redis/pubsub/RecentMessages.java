package dev.baton.lock.redis.pubsub;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Finds the copies of messages. A process subscribes at each master of a cluster, and the cluster carries each message to
 * all of them, so each master delivers a copy. Two equal messages within half a second are taken for copies. Thread-safe.
 */
final class RecentMessages {

    static final long KEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** How many messages are kept at most. A copy of an older one counts as new, which costs a command. */
    static final int MOST = 10_000;

    private final LongSupplier clock;
    /** Held only briefly. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The messages with the times of their arrival, in the order of these times. */
    private final Map<String, Long> arrivals = new LinkedHashMap<>();

    /**
     * Creates an instance that knows no message.
     *
     * @param clock the present time in nanoseconds
     */
    RecentMessages(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns whether this is the first copy of a message. */
    boolean isFirst(byte[] message) {
        // one char per byte, so that different messages stay different
        String text = new String(message, StandardCharsets.ISO_8859_1);
        long now = clock.getAsLong();
        lock.lock();
        try {
            forget(now);
            return arrivals.putIfAbsent(text, now) == null;
        } finally {
            lock.unlock();
        }
    }

    private void forget(long now) {
        Iterator<Long> times = arrivals.values().iterator();
        while (times.hasNext() && (now - times.next() >= KEEP_NANOS || arrivals.size() >= MOST)) {
            times.remove();
        }
    }
}
