package dev.baton.lock.faults;

import dev.baton.lock.faults.Sight.Holder;
import dev.baton.lock.faults.Sight.Waiter;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Judges who was granted a lock, by what was seen of the queues before and after: nobody who may not be passed is passed over, a
 * lock that is given back is handed over in the same step, and tokens grow, also when Redis has forgotten everything. Pure.
 */
final class TurnChecker {

    /** Sights further apart say too little of what was between. */
    static final long TOGETHER = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Sight> sights;
    private final Map<String, Life> lives;
    private final List<Fault> faults;

    TurnChecker(List<Sight> sights, Map<String, Life> lives, List<Fault> faults) {
        this.sights = sights;
        this.lives = lives;
        this.faults = faults;
    }

    private record Grant(String name, long token, String request) {}

    /** First come, first served: of those that may not be passed, none still waits who came before one that is granted. */
    List<String> passedOver(List<HistoryEvent> events) {
        TreeSet<Grant> grants =
                new TreeSet<>(Comparator.comparingLong(Grant::token).thenComparing(Grant::name));
        for (HistoryEvent event : events) {
            if (event.kind() == Kind.ACQUIRED) {
                grants.add(new Grant(event.name(), event.number(), event.request()));
            }
        }
        for (Sight sight : sights) {
            sight.locks().forEach((name, lock) -> {
                if (lock.holder() != null) {
                    grants.add(
                            new Grant(name, lock.holder().token(), lock.holder().request()));
                }
            });
        }
        List<String> findings = new ArrayList<>();
        int at = 0;
        for (Grant grant : grants) {
            // a token is the time of its grant by the clock of Redis
            while (at < sights.size() && sights.get(at).now() <= grant.token) {
                at++;
            }
            if (at > 0 && at < sights.size() && isTogether(sights.get(at - 1), sights.get(at))) {
                passedOver(grant, sights.get(at - 1), sights.get(at), findings);
            }
        }
        return findings;
    }

    private void passedOver(Grant grant, Sight before, Sight after, List<String> findings) {
        Waiter granted = before.lock(grant.name).waiter(grant.request);
        for (Waiter first : before.lock(grant.name).queue()) {
            boolean came = granted == null || first.isBefore(granted);
            boolean bound = !first.isForSeveral() || first.pass() <= grant.token;
            if (came && bound && !first.request().equals(grant.request) && isTold(grant.name, first, before, after)) {
                findings.add("'" + grant.name + "' was granted to " + grant + ", and passed over " + first);
            }
        }
    }

    /** No lock is given back, free, and left to one who could have been granted it. */
    List<String> notHandedOver() {
        List<String> findings = new ArrayList<>();
        for (int i = 1; i < sights.size(); i++) {
            Sight before = sights.get(i - 1);
            Sight after = sights.get(i);
            if (isTogether(before, after)) {
                before.locks().keySet().forEach(name -> notHandedOver(name, before, after, findings));
            }
        }
        return findings;
    }

    private void notHandedOver(String name, Sight before, Sight after, List<String> findings) {
        Holder holder = before.lock(name).holder();
        if (holder == null || after.lock(name).holder() != null || mayHaveExpired(holder, before, after)) {
            return;
        }
        for (Waiter waiter : before.lock(name).queue()) {
            if (before.isDue(waiter, holder.request())
                    && after.isDue(waiter, "")
                    && isTold(name, waiter, before, after)) {
                findings.add("'" + name + "' was given back by " + holder + ", and not handed over to " + waiter);
            }
        }
    }

    /** Every holder of a lock has a greater token than the one that was seen before it. */
    List<String> tokensThatDoNotGrow() {
        List<String> findings = new ArrayList<>();
        Map<String, Holder> last = new HashMap<>();
        for (Sight sight : sights) {
            sight.locks().forEach((name, lock) -> {
                Holder holder = lock.holder();
                Holder before = holder == null ? null : last.put(name, holder);
                if (before != null && !grows(before, holder)) {
                    findings.add("'" + name + "' was held by " + before + ", and then by " + holder);
                }
            });
        }
        return findings;
    }

    private static boolean grows(Holder before, @Nullable Holder holder) {
        return holder != null
                && (holder.token() > before.token()
                        || holder.token() == before.token() && holder.request().equals(before.request()));
    }

    private static boolean mayHaveExpired(Holder holder, Sight before, Sight after) {
        return TimeUnit.MILLISECONDS.toMicros(holder.left() - 2) <= after.now() - before.now();
    }

    /** Whether it waited all the time, and would have heard of a grant. */
    private boolean isTold(String name, Waiter waiter, Sight before, Sight after) {
        Waiter later = after.lock(name).waiter(waiter.request());
        Life life = lives.get(waiter.request());
        return later != null
                && life != null
                && later.arrival() == waiter.arrival()
                && waiter.hears(after.now())
                && later.hears(after.now())
                && before.isLiving(name, waiter)
                && after.isLiving(name, later)
                // one whose question was late was over for a moment, although it is seen alive before and after
                && after.isLiving(name, waiter)
                && !Fault.hit(faults, life.process(), before.before() - TOGETHER, after.after());
    }

    /** Whether nothing can have happened between them that neither shows, but for the shortest of holds. */
    static boolean isTogether(Sight before, Sight after) {
        return before.server() == after.server() && after.before() - before.after() < TOGETHER;
    }
}
