package dev.baton.lock.faults;

import dev.baton.lock.faults.MixedRun.Restart;
import dev.baton.lock.faults.WakeUpChecker.Delay;
import dev.baton.lock.faults.WakeUpChecker.TimedDelay;
import dev.baton.lock.harness.HistoryChecker;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges a mixed run by the promises of docs/guarantees.md. */
final class MixedVerdict {

    /** The delay that threads and connections add on an idle machine. A busy machine gets more. */
    private static final Duration SLACK = Duration.ofMillis(400);

    /** A delay of the observer, which runs every two milliseconds, that shows a busy machine. */
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(20);

    /** The number of threads in a step from one process to another. */
    private static final int THREADS = 3;

    private static final Duration ENDLESS = Duration.ofDays(1);

    private final List<HistoryEvent> events;
    private final Map<String, Long> tokens;
    private final TurnChecker turns;
    private final List<TimedDelay> delays;
    private final List<Fault> faults;
    private final List<Snapshot> snapshots;
    private final Restart lostData;
    private final long waits;

    MixedVerdict(List<HistoryEvent> events, Map<String, RequestTimeline> timelines, MixedRun run) {
        this.events = events;
        this.faults = run.faults();
        this.snapshots = run.snapshots();
        this.lostData = run.lostData();
        this.tokens = events.stream()
                .filter(event -> event.kind() == Kind.ACQUIRED)
                .collect(Collectors.toMap(HistoryEvent::request, HistoryEvent::number, Math::max));
        this.turns = new TurnChecker(snapshots, timelines, faults);
        this.delays = new WakeUpChecker(snapshots, timelines).delays();
        this.waits = snapshots.stream()
                .flatMap(snapshot -> snapshot.locks().values().stream())
                .flatMap(lock -> lock.queue().stream())
                .map(Snapshot.Waiter::request)
                .distinct()
                .count();
    }

    /** Returns the violations if each request has a ticket of its own. */
    List<Object> violations() {
        return Stream.<List<?>>of(
                        violationsOfHolders(),
                        turns.tokensThatDoNotGrow(),
                        turns.passedOver(events),
                        turns.notHandedOver(),
                        delays.stream()
                                .filter(this::isTooLong)
                                .map(lasted -> lasted + ", faults "
                                        + Fault.of(faults, lasted.timeline().process()))
                                .toList())
                .<Object>flatMap(List::stream)
                .toList();
    }

    /** Returns the violations of holders, which are checked also if processes pass locks on. */
    List<Object> violationsOfHolders() {
        return Stream.<List<?>>of(
                        HistoryChecker.overlaps(before()),
                        HistoryChecker.overlaps(after()),
                        HistoryChecker.tokens(before()),
                        HistoryChecker.tokens(after()),
                        beliefsThatOutliveTheData(),
                        lateLossNotification())
                .<Object>flatMap(List::stream)
                .toList();
    }

    /**
     * Returns the events of grants before Redis lost its data. Exclusion is not promised between grants before and
     * after.
     */
    private List<HistoryEvent> before() {
        return events.stream()
                .filter(event -> event.kind() == Kind.DIED || token(event) < lostData.mark())
                .toList();
    }

    private List<HistoryEvent> after() {
        return events.stream()
                .filter(event -> event.kind() == Kind.DIED || token(event) >= lostData.mark())
                .toList();
    }

    private long token(HistoryEvent event) {
        return tokens.getOrDefault(event.request(), 0L);
    }

    /** Returns the holders before the loss of data that relied on a lock for longer than its lease at that time. */
    private List<?> beliefsThatOutliveTheData() {
        return before().stream()
                .filter(event -> event.until() - lostData.down() > FaultRun.LEASE.toNanos())
                .toList();
    }

    /** Returns a violation if a holder during the restart did not notice the loss at its next renewal. */
    private List<?> lateLossNotification() {
        Duration told = Duration.ofNanos(lostData.told() - lostData.up());
        if (lostData.until() - lostData.down() > FaultRun.LEASE.toNanos()) {
            return List.of("A lease was renewed after the data was lost: " + lostData);
        }
        return told.compareTo(FaultRun.LEASE.dividedBy(3).plus(slack(lostData.up(), lostData.told()))) <= 0
                ? List.of()
                : List.of("The loss of a renewed lease was told " + told.toMillis() + " ms after the restart");
    }

    private boolean isTooLong(TimedDelay lasted) {
        Duration bound = bound(lasted);
        if (lasted.delay() == Delay.NOT_GONE) {
            return isLonger(lasted.from(), lasted.to(), bound);
        }
        // a process that is not connected yet cannot end a delay
        long from = Fault.endAfter(faults, lasted.timeline().process(), lasted.from());
        // a fault may hit the command of a recheck, and over Jedis leaves dead connections in the pool
        for (long fault : Fault.begun(faults, lasted.timeline().process(), from, lasted.to())) {
            if (isLonger(from, fault, bound)) {
                return true;
            }
            from = fault;
        }
        return isLonger(from, lasted.to(), bound);
    }

    private boolean isLonger(long from, long to, Duration bound) {
        return Duration.ofNanos(to - from).compareTo(bound.plus(slack(from, to))) > 0;
    }

    private Duration slack(long from, long to) {
        long late = 0;
        for (int i = 1; i < snapshots.size(); i++) {
            long begin = Math.max(from, snapshots.get(i - 1).before());
            long end = Math.min(to, snapshots.get(i).before());
            late += end - begin > LATE
                            && snapshots.get(i - 1).server() == snapshots.get(i).server()
                    ? end - begin
                    : 0;
        }
        return SLACK.plusNanos(THREADS * late);
    }

    private Duration bound(TimedDelay lasted) {
        return switch (lasted.delay()) {
            // no bound of its own, because the waiters for which the lock is kept are judged themselves
            case KEPT -> ENDLESS;
            case NOT_GRANTED, NOT_QUEUED, NOT_NOTIFIED -> FaultRun.RECHECK;
            case NOT_GONE -> isHit(lasted) ? FaultRun.LEASE : Duration.ZERO;
        };
    }

    private boolean isHit(TimedDelay lasted) {
        return lasted.timeline().hasDied()
                || Fault.hit(faults, lasted.timeline().process(), lasted.from(), lasted.to());
    }

    long grants() {
        return tokens.size();
    }

    /** Returns the number of requests that were seen in a queue. */
    long waits() {
        return waits;
    }

    @Override
    public String toString() {
        return grants() + " grants, " + waits() + " waits, longest delays in ms " + longest(false) + ", under faults "
                + longest(true) + ", loss told " + (lostData.told() - lostData.up()) / 1_000_000
                + " ms after the restart";
    }

    private Map<Delay, Long> longest(boolean hit) {
        return WakeUpChecker.longest(
                delays.stream().filter(lasted -> hit == isHit(lasted)).toList());
    }
}
