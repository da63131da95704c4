package dev.baton.lock.faults;

import dev.baton.lock.faults.Sight.Waiter;
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
 * Judges how long who waits is kept waiting for nothing, by what was seen in Redis and what the processes tell. Each
 * {@link Delay} may last for so long and no longer; a wait without any of them is one behind those who hold, or are to be served
 * before. Pure.
 */
final class WakeUpChecker {

    private final List<Life> lives;
    private final Map<String, Life> byRequest;
    private final List<Sight> sights;

    /** What may keep somebody from its turn. */
    enum Delay {
        /** All that it wants is free, nobody may go first, and it is not granted. */
        NOT_GRANTED,
        /** It waits, and stands in no queue. */
        NOT_QUEUED,
        /** It has been granted what it wants, and does not know. */
        NOT_TOLD,
        /** It is over, and still holds a lock, or a place in front of others. */
        NOT_GONE,
        /** All that it wants is free, and kept for somebody before it who may not be passed. */
        KEPT
    }

    /** A delay as long as it lasted. */
    record Lasted(Delay delay, Life life, long from, long to) {

        Duration time() {
            return Duration.ofNanos(to - from);
        }

        @Override
        public String toString() {
            return delay + " for " + time().toMillis() + " ms from " + from + " to " + to + ": " + life;
        }
    }

    private record Key(Delay delay, Life life) {}

    WakeUpChecker(List<Sight> sights, Map<String, Life> lives) {
        this.sights = sights;
        this.byRequest = lives;
        this.lives = new ArrayList<>(lives.values());
        this.lives.sort(Comparator.comparingLong(Life::asked));
    }

    /** All delays, also short ones. */
    List<Lasted> delays() {
        List<Lasted> ended = new ArrayList<>();
        Map<Key, Lasted> open = new LinkedHashMap<>();
        Set<Life> waiting = new HashSet<>();
        int next = 0;
        Sight last = null;
        for (Sight sight : sights) {
            for (; next < lives.size() && lives.get(next).asked() <= sight.before(); next++) {
                waiting.add(lives.get(next));
            }
            waiting.removeIf(life -> life.waited() <= sight.after());
            boolean goesOn = last != null && TurnChecker.isTogether(last, sight);
            Map<Key, Lasted> still = new LinkedHashMap<>();
            for (Key key : now(sight, waiting)) {
                Lasted before = goesOn ? open.remove(key) : null;
                long from = before == null ? sight.after() : before.from;
                still.put(key, new Lasted(key.delay, key.life, from, Math.max(from, sight.before())));
            }
            ended.addAll(open.values());
            open = still;
            last = sight;
        }
        ended.addAll(open.values());
        return ended;
    }

    private List<Key> now(Sight sight, Set<Life> waiting) {
        List<Key> now = new ArrayList<>();
        for (Life life : waiting) {
            if (sight.holds(life.request(), life.names())) {
                now.add(new Key(Delay.NOT_TOLD, life));
            } else if (!sight.waits(life.request(), life.names())) {
                now.add(new Key(Delay.NOT_QUEUED, life));
            } else if (isFree(sight, life)) {
                now.add(new Key(isDue(sight, life) ? Delay.NOT_GRANTED : Delay.KEPT, life));
            }
        }
        for (String request : standing(sight)) {
            Life life = byRequest.get(request);
            if (life != null && life.over() < sight.before()) {
                now.add(new Key(Delay.NOT_GONE, life));
            }
        }
        return now;
    }

    private static boolean isFree(Sight sight, Life life) {
        return life.names().stream().allMatch(name -> sight.lock(name).holder() == null);
    }

    private static boolean isDue(Sight sight, Life life) {
        Waiter waiter = sight.lock(life.names().get(0)).waiter(life.request());
        return waiter != null && sight.isDue(waiter, "");
    }

    /** Who keeps others waiting. */
    private static Set<String> standing(Sight sight) {
        Set<String> standing = new HashSet<>();
        sight.locks().forEach((name, lock) -> {
            Stream<String> holder = Stream.ofNullable(lock.holder()).map(Sight.Holder::request);
            Stream<String> waiters = lock.queue().stream()
                    .filter(waiter -> !sight.isPassable(name, waiter))
                    .map(Waiter::request);
            Stream.concat(holder, waiters).forEach(standing::add);
        });
        return standing;
    }

    /** The longest of each. */
    static Map<Delay, Long> longest(List<Lasted> delays) {
        Map<Delay, Long> longest = new HashMap<>();
        delays.forEach(lasted -> longest.merge(lasted.delay, lasted.time().toMillis(), Math::max));
        return new TreeMap<>(longest);
    }
}
