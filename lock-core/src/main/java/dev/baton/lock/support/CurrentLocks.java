package dev.baton.lock.support;

import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** What this process holds and waits for just now, as a listener has heard of it. Thread-safe. */
public final class CurrentLocks implements LockListener {

    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();
    private final TimeSource time;

    public CurrentLocks() {
        this(TimeSource.SYSTEM);
    }

    /** Goes by this time instead of the system's: that of the template that it listens to. */
    public CurrentLocks(TimeSource time) {
        this.time = time;
    }

    /**
     * A request that waits, or holds its locks.
     *
     * @param request which
     * @param fencingToken the token of the grant; 0 while it waits
     * @param lasting how long it has waited, or held them
     */
    public record Current(Request request, long fencingToken, Duration lasting) {}

    /** Those that hold their locks, the longest first. */
    public List<Current> held() {
        return list(Entry::isHeld);
    }

    /** Those that wait for their locks or have just asked for them, the longest first. */
    public List<Current> waiting() {
        return list(entry -> !entry.isHeld());
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

    /** How many hold their locks. */
    public long heldCount() {
        return entries.values().stream().filter(Entry::isHeld).count();
    }

    /** How many wait. */
    public long waitingCount() {
        return entries.size() - heldCount();
    }

    /** For how long the first of those that hold their locks has done so; zero if none does. */
    public Duration longestHold() {
        return longest(Entry::isHeld);
    }

    /** For how long the first of those that wait has done so; zero if none does. */
    public Duration longestWait() {
        return longest(entry -> !entry.isHeld());
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
        entries.put(event.request().id(), new Entry(event.request(), time.nanoTime()));
    }

    /** One that is lost already stays away. */
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

    void forget(Request request) {
        entries.remove(request.id());
    }

    boolean isKnown(Request request) {
        return entries.containsKey(request.id());
    }

    private static final class Entry {

        final Request request;
        private final long askedAt;
        private long grantedAt;
        /** 0 while it waits; written after the time of the grant. */
        private volatile long token;

        Entry(Request request, long askedAt) {
            this.request = request;
            this.askedAt = askedAt;
        }

        /** The event says how long it waited since it asked last, which may have been more than once. */
        void granted(Granted event, long now) {
            grantedAt = now;
            token = event.fencingToken();
        }

        boolean isHeld() {
            return token != 0;
        }

        long since() {
            return token != 0 ? grantedAt : askedAt;
        }
    }
}
