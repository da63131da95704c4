package dev.baton.lock.support;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the locks that this process currently holds or waits for, and its waits at conditions, from the events of a
 * listener. Thread-safe.
 */
public final class CurrentLocks implements LockListener {

    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();
    private final TimeSource time;

    public CurrentLocks() {
        this(TimeSource.SYSTEM);
    }

    /** Creates an instance that uses the time source of its template instead of the system's. */
    public CurrentLocks(TimeSource time) {
        this.time = time;
    }

    /**
     * A request that waits, or holds its locks.
     *
     * @param request the request
     * @param fencingToken the token of the grant; 0 while the request waits
     * @param lasting how long the request has waited, or has held its locks
     */
    public record Current(Request request, long fencingToken, Duration lasting) {}

    /**
     * A request that awaits a condition before it asks for its lock.
     *
     * @param request the request
     * @param condition the name of the condition
     * @param lasting how long it has awaited the condition
     */
    public record AtCondition(Request request, String condition, Duration lasting) {}

    /** Returns the requests that hold their locks, the longest first. */
    public List<Current> held() {
        return list(Entry::isHeld);
    }

    /** Returns the requests that wait for their locks or have just asked for them, the longest first. */
    public List<Current> waiting() {
        return list(Entry::isWaiting);
    }

    /** Returns the requests that await conditions, or whose locks have not come back from there, the longest first. */
    public List<AtCondition> atConditions() {
        long now = time.nanoTime();
        List<AtCondition> all = new ArrayList<>();
        for (Entry entry : entries.values()) {
            String condition = entry.condition;
            if (condition != null) {
                all.add(new AtCondition(entry.request, condition, Duration.ofNanos(Math.max(0, now - entry.since()))));
            }
        }
        all.sort(Comparator.comparing(AtCondition::lasting).reversed());
        return all;
    }

    private List<Current> list(Predicate<Entry> which) {
        long now = time.nanoTime();
        return entries.values().stream()
                .filter(which)
                .map(entry ->
                        new Current(entry.request, entry.token, Duration.ofNanos(Math.max(0, now - entry.since()))))
                .sorted(Comparator.comparing(Current::lasting).reversed())
                .toList();
    }

    /** Returns how many requests hold their locks. */
    public long heldCount() {
        return entries.values().stream().filter(Entry::isHeld).count();
    }

    /** Returns how many requests wait. */
    public long waitingCount() {
        return entries.values().stream().filter(Entry::isWaiting).count();
    }

    /** Returns the longest time for which a request has held its locks; zero if no request holds any. */
    public Duration longestHold() {
        return longest(Entry::isHeld);
    }

    /** Returns the longest time for which a request has waited; zero if no request waits. */
    public Duration longestWait() {
        return longest(Entry::isWaiting);
    }

    private Duration longest(Predicate<Entry> which) {
        long now = time.nanoTime();
        return Duration.ofNanos(entries.values().stream()
                .filter(which)
                .mapToLong(entry -> now - entry.since())
                .reduce(0, Math::max));
    }

    @Override
    public void asked(Asked event) {
        entries.put(event.request().id(), new Entry(event.request(), null, time.nanoTime()));
    }

    @Override
    public void awaiting(Awaiting event) {
        entries.put(event.request().id(), new Entry(event.request(), event.condition(), time.nanoTime()));
    }

    /** Records the grant. A request whose lease is already lost is not listed again. */
    @Override
    public void granted(Granted event) {
        Entry waiting = entries.get(event.request().id());
        if (waiting != null) {
            waiting.granted(event, time.nanoTime());
        }
    }

    @Override
    public void timedOut(TimedOut event) {
        entries.remove(event.request().id());
    }

    @Override
    public void ended(Ended event) {
        entries.remove(event.request().id());
    }

    @Override
    public void released(Released event) {
        entries.remove(event.request().id());
    }

    @Override
    public void lost(LockLostEvent event) {
        entries.remove(event.request().id());
    }

    private static final class Entry {

        final Request request;
        /** The condition that the request awaits, or {@code null} if it has asked for its locks. */
        final @Nullable String condition;

        private final long askedAt;
        private long grantedAt;
        /** 0 while the request waits; written after the time of the grant. */
        private volatile long token;

        Entry(Request request, @Nullable String condition, long askedAt) {
            this.request = request;
            this.condition = condition;
            this.askedAt = askedAt;
        }

        /**
         * Records the grant. The event's wait time is not used: it counts from the last time that the request asked,
         * and the request may have asked more than once.
         */
        void granted(Granted event, long now) {
            grantedAt = now;
            token = event.fencingToken();
        }

        boolean isHeld() {
            return token != 0;
        }

        boolean isWaiting() {
            return token == 0 && condition == null;
        }

        long since() {
            return token != 0 ? grantedAt : askedAt;
        }
    }
}
