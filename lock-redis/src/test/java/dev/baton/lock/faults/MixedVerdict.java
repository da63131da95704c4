package dev.baton.lock.faults;

import dev.baton.lock.faults.MixedRun.Restart;
import dev.baton.lock.faults.WakeUpChecker.Delay;
import dev.baton.lock.faults.WakeUpChecker.Lasted;
import dev.baton.lock.harness.HistoryChecker;
import dev.baton.lock.harness.HistoryEvent;
import dev.baton.lock.harness.HistoryEvent.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that a mixed run is judged by: what docs/guarantees.md allows, and no more. */
final class MixedVerdict {

    /** What threads and connections add on a machine that runs who is due; one that does not is given more. */
    private static final Duration SLACK = Duration.ofMillis(400);

    /** Who looks every two milliseconds, and comes so late, was kept from running. */
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(20);

    /** A step from one process to another takes as many threads. */
    private static final int THREADS = 3;

    private static final Duration ENDLESS = Duration.ofDays(1);

    private final List<HistoryEvent> events;
    private final Map<String, Long> tokens;
    private final TurnChecker turns;
    private final List<Lasted> delays;
    private final List<Fault> faults;
    private final List<Sight> sights;
    private final Restart lostData;
    private final long waits;

    MixedVerdict(List<HistoryEvent> events, Map<String, Life> lives, MixedRun run) {
        this.events = events;
        this.faults = run.faults();
        this.sights = run.sights();
        this.lostData = run.lostData();
        this.tokens = events.stream()
                .filter(event -> event.kind() == Kind.ACQUIRED)
                .collect(Collectors.toMap(HistoryEvent::request, HistoryEvent::number, Math::max));
        this.turns = new TurnChecker(sights, lives, faults);
        this.delays = new WakeUpChecker(sights, lives).delays();
        this.waits = sights.stream()
                .flatMap(sight -> sight.locks().values().stream())
                .flatMap(lock -> lock.queue().stream())
                .map(Sight.Waiter::request)
                .distinct()
                .count();
    }

    /** What must not have happened, where each request stands in Redis by itself. */
    List<Object> violations() {
        return Stream.<List<?>>of(
                        violationsOfHolders(),
                        turns.tokensThatDoNotGrow(),
                        turns.passedOver(events),
                        turns.notHandedOver(),
                        delays.stream()
                                .filter(this::isTooLong)
                                .map(lasted -> lasted + ", faults "
                                        + Fault.of(faults, lasted.life().process()))
                                .toList())
                .<Object>flatMap(List::stream)
                .toList();
    }

    /** What must not have happened to those who held a lock, also where a process passes it on. */
    List<Object> violationsOfHolders() {
        return Stream.<List<?>>of(
                        HistoryChecker.overlaps(before()),
                        HistoryChecker.overlaps(after()),
                        HistoryChecker.tokens(before()),
                        HistoryChecker.tokens(after()),
                        beliefsThatOutliveTheData(),
                        lossToldLate())
                .<Object>flatMap(List::stream)
                .toList();
    }

    /** Of those that were granted before Redis lost its data. Between them and those after it, exclusion is not promised. */
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

    /** What was granted before is not renewed after: nobody believes in it for longer than the lease that it had. */
    private List<?> beliefsThatOutliveTheData() {
        return before().stream()
                .filter(event -> event.until() - lostData.down() > FaultRun.LEASE.toNanos())
                .toList();
    }

    /** Who holds on over the restart learns of it at the next renewal. */
    private List<?> lossToldLate() {
        Duration told = Duration.ofNanos(lostData.told() - lostData.up());
        if (lostData.until() - lostData.down() > FaultRun.LEASE.toNanos()) {
            return List.of("A lease was renewed after the data was lost: " + lostData);
        }
        return told.compareTo(FaultRun.LEASE.dividedBy(3).plus(slack(lostData.up(), lostData.told()))) <= 0
                ? List.of()
                : List.of("The loss of a renewed lease was told " + told.toMillis() + " ms after the restart");
    }

    private boolean isTooLong(Lasted lasted) {
        Duration bound = bound(lasted);
        if (lasted.delay() == Delay.NOT_GONE) {
            return isLonger(lasted.from(), lasted.to(), bound);
        }
        // a process that is not connected yet can do nothing about a delay that begins
        long from = Fault.endAfter(faults, lasted.life().process(), lasted.from());
        // a fault may hit the very question that a recheck asks, and over Jedis leaves dead connections in the pool
        for (long fault : Fault.begun(faults, lasted.life().process(), from, lasted.to())) {
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
        for (int i = 1; i < sights.size(); i++) {
            long begin = Math.max(from, sights.get(i - 1).before());
            long end = Math.min(to, sights.get(i).before());
            late += end - begin > LATE
                            && sights.get(i - 1).server() == sights.get(i).server()
                    ? end - begin
                    : 0;
        }
        return SLACK.plusNanos(THREADS * late);
    }

    private Duration bound(Lasted lasted) {
        return switch (lasted.delay()) {
            // it has no bound of its own: those for whom the lock is kept are judged themselves
            case KEPT -> ENDLESS;
            case NOT_GRANTED, NOT_QUEUED, NOT_TOLD -> FaultRun.RECHECK;
            case NOT_GONE -> isHit(lasted) ? FaultRun.LEASE : Duration.ZERO;
        };
    }

    private boolean isHit(Lasted lasted) {
        return lasted.life().hasDied() || Fault.hit(faults, lasted.life().process(), lasted.from(), lasted.to());
    }

    long grants() {
        return tokens.size();
    }

    /** Requests that were seen in a queue. */
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
