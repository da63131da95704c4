package dev.baton.lock.faults;

import dev.baton.lock.faults.Snapshot.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds delays of waiters, by the snapshots of Redis and the events of the processes. Each {@link Delay} has a bound. A
 * wait without a delay is a wait behind a holder or an earlier waiter. Has no side effects.
 */
final class WakeUpChecker {

    private final List<RequestTimeline> timelines;
    private final Map<String, RequestTimeline> byRequest;
    private final List<Snapshot> snapshots;

    /** A reason for the delay of a waiter. */
    enum Delay {
        /** All locks of the waiter are free and it is due, and it is not granted. */
        NOT_GRANTED,
        /** The request waits, and is in no queue. */
        NOT_QUEUED,
        /** The request has been granted, and does not know. */
        NOT_NOTIFIED,
        /** The request is over, and still holds a lock or blocks other waiters. */
        NOT_GONE,
        /** All locks of the waiter are free, and kept for an earlier waiter that may not be passed. */
        KEPT
    }

    /** A delay with its times. */
    record TimedDelay(Delay delay, RequestTimeline timeline, long from, long to) {

        Duration time() {
            return Duration.ofNanos(to - from);
        }

        @Override
        public String toString() {
            return delay + " for " + time().toMillis() + " ms from " + from + " to " + to + ": " + timeline;
        }
    }

    private record Key(Delay delay, RequestTimeline timeline) {}

    WakeUpChecker(List<Snapshot> snapshots, Map<String, RequestTimeline> timelines) {
        this.snapshots = snapshots;
        this.byRequest = timelines;
        this.timelines = new ArrayList<>(timelines.values());
        this.timelines.sort(Comparator.comparingLong(RequestTimeline::asked));
    }

    /** Returns all delays, including short ones. */
    List<TimedDelay> delays() {
        List<TimedDelay> ended = new ArrayList<>();
        Map<Key, TimedDelay> open = new LinkedHashMap<>();
        Set<RequestTimeline> waiting = new HashSet<>();
        int next = 0;
        Snapshot last = null;
        for (Snapshot snapshot : snapshots) {
            for (; next < timelines.size() && timelines.get(next).asked() <= snapshot.before(); next++) {
                waiting.add(timelines.get(next));
            }
            waiting.removeIf(timeline -> timeline.waited() <= snapshot.after());
            boolean goesOn = last != null && TurnChecker.isTogether(last, snapshot);
            Map<Key, TimedDelay> still = new LinkedHashMap<>();
            for (Key key : now(snapshot, waiting)) {
                TimedDelay before = goesOn ? open.remove(key) : null;
                long from = before == null ? snapshot.after() : before.from;
                still.put(key, new TimedDelay(key.delay, key.timeline, from, Math.max(from, snapshot.before())));
            }
            ended.addAll(open.values());
            open = still;
            last = snapshot;
        }
        ended.addAll(open.values());
        return ended;
    }

    private List<Key> now(Snapshot snapshot, Set<RequestTimeline> waiting) {
        List<Key> now = new ArrayList<>();
        for (RequestTimeline timeline : waiting) {
            if (snapshot.holds(timeline.request(), timeline.names())) {
                now.add(new Key(Delay.NOT_NOTIFIED, timeline));
            } else if (!snapshot.waits(timeline.request(), timeline.names())) {
                now.add(new Key(Delay.NOT_QUEUED, timeline));
            } else if (isFree(snapshot, timeline)) {
                now.add(new Key(isDue(snapshot, timeline) ? Delay.NOT_GRANTED : Delay.KEPT, timeline));
            }
        }
        for (String request : blocking(snapshot)) {
            RequestTimeline timeline = byRequest.get(request);
            if (timeline != null && timeline.over() < snapshot.before()) {
                now.add(new Key(Delay.NOT_GONE, timeline));
            }
        }
        return now;
    }

    private static boolean isFree(Snapshot snapshot, RequestTimeline timeline) {
        return timeline.names().stream().allMatch(name -> snapshot.lock(name).holder() == null);
    }

    private static boolean isDue(Snapshot snapshot, RequestTimeline timeline) {
        Waiter waiter = snapshot.lock(timeline.names().get(0)).waiter(timeline.request());
        return waiter != null && snapshot.isDue(waiter, "");
    }

    /** Returns the requests that make others wait. */
    private static Set<String> blocking(Snapshot snapshot) {
        Set<String> blocking = new HashSet<>();
        snapshot.locks().forEach((name, lock) -> {
            Stream<String> holder = Stream.ofNullable(lock.holder()).map(Snapshot.Holder::request);
            Stream<String> waiters = lock.queue().stream()
                    .filter(waiter -> !snapshot.isPassable(name, waiter))
                    .map(Waiter::request);
            Stream.concat(holder, waiters).forEach(blocking::add);
        });
        return blocking;
    }

    /** Returns the longest delay of each kind. */
    static Map<Delay, Long> longest(List<TimedDelay> delays) {
        Map<Delay, Long> longest = new HashMap<>();
        delays.forEach(lasted -> longest.merge(lasted.delay, lasted.time().toMillis(), Math::max));
        return new TreeMap<>(longest);
    }
}
