package dev.baton.lock.faults;

import dev.baton.lock.faults.Snapshot.Holder;
import dev.baton.lock.faults.Snapshot.Waiter;
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
 * Judges grants by the snapshots before and after: waiters are granted in order, a released lock is handed over in the
 * same step, and tokens grow, also after a loss of data. Has no side effects.
 */
final class TurnChecker {

    /** Snapshots further apart are not conclusive. */
    static final long TOGETHER = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Snapshot> snapshots;
    private final Map<String, RequestTimeline> timelines;
    private final List<Fault> faults;

    TurnChecker(List<Snapshot> snapshots, Map<String, RequestTimeline> timelines, List<Fault> faults) {
        this.snapshots = snapshots;
        this.timelines = timelines;
        this.faults = faults;
    }

    private record Grant(String name, long token, String request) {}

    /** Returns the grants that passed over an earlier waiter which may not be passed. */
    List<String> passedOver(List<HistoryEvent> events) {
        TreeSet<Grant> grants =
                new TreeSet<>(Comparator.comparingLong(Grant::token).thenComparing(Grant::name));
        for (HistoryEvent event : events) {
            if (event.kind() == Kind.ACQUIRED) {
                grants.add(new Grant(event.name(), event.number(), event.request()));
            }
        }
        for (Snapshot snapshot : snapshots) {
            snapshot.locks().forEach((name, lock) -> {
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
            while (at < snapshots.size() && snapshots.get(at).now() <= grant.token) {
                at++;
            }
            if (at > 0 && at < snapshots.size() && isTogether(snapshots.get(at - 1), snapshots.get(at))) {
                passedOver(grant, snapshots.get(at - 1), snapshots.get(at), findings);
            }
        }
        return findings;
    }

    private void passedOver(Grant grant, Snapshot before, Snapshot after, List<String> findings) {
        Waiter granted = before.lock(grant.name).waiter(grant.request);
        for (Waiter first : before.lock(grant.name).queue()) {
            boolean came = granted == null || first.isBefore(granted);
            boolean bound = !first.isForSeveral() || first.pass() <= grant.token;
            if (came
                    && bound
                    && !first.request().equals(grant.request)
                    && isReachable(grant.name, first, before, after)) {
                findings.add("'" + grant.name + "' was granted to " + grant + ", and passed over " + first);
            }
        }
    }

    /** Returns the released locks that stayed free although a waiter was due. */
    List<String> notHandedOver() {
        List<String> findings = new ArrayList<>();
        for (int i = 1; i < snapshots.size(); i++) {
            Snapshot before = snapshots.get(i - 1);
            Snapshot after = snapshots.get(i);
            if (isTogether(before, after)) {
                before.locks().keySet().forEach(name -> notHandedOver(name, before, after, findings));
            }
        }
        return findings;
    }

    private void notHandedOver(String name, Snapshot before, Snapshot after, List<String> findings) {
        Holder holder = before.lock(name).holder();
        if (holder == null || after.lock(name).holder() != null || mayHaveExpired(holder, before, after)) {
            return;
        }
        for (Waiter waiter : before.lock(name).queue()) {
            if (before.isDue(waiter, holder.request())
                    && after.isDue(waiter, "")
                    && isReachable(name, waiter, before, after)) {
                findings.add("'" + name + "' was given back by " + holder + ", and not handed over to " + waiter);
            }
        }
    }

    /** Returns the holders whose token is not greater than that of the previous holder. */
    List<String> tokensThatDoNotGrow() {
        List<String> findings = new ArrayList<>();
        Map<String, Holder> last = new HashMap<>();
        for (Snapshot snapshot : snapshots) {
            snapshot.locks().forEach((name, lock) -> {
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

    private static boolean mayHaveExpired(Holder holder, Snapshot before, Snapshot after) {
        return TimeUnit.MILLISECONDS.toMicros(holder.left() - 2) <= after.now() - before.now();
    }

    /** Returns whether the waiter waited all the time, and would have noticed a grant. */
    private boolean isReachable(String name, Waiter waiter, Snapshot before, Snapshot after) {
        Waiter later = after.lock(name).waiter(waiter.request());
        RequestTimeline timeline = timelines.get(waiter.request());
        return later != null
                && timeline != null
                && later.arrival() == waiter.arrival()
                && waiter.hears(after.now())
                && later.hears(after.now())
                && before.isLiving(name, waiter)
                && after.isLiving(name, later)
                // a late waiter was over for a moment, although both snapshots show it alive
                && after.isLiving(name, waiter)
                && !Fault.hit(faults, timeline.process(), before.before() - TOGETHER, after.after());
    }

    /** Returns whether the snapshots are so close that at most a very short hold is missing between them. */
    static boolean isTogether(Snapshot before, Snapshot after) {
        return before.server() == after.server() && after.before() - before.after() < TOGETHER;
    }
}
