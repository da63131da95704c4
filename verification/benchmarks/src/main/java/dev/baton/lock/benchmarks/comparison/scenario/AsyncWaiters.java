package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.benchmarks.comparison.contender.BatonLocks;
import dev.baton.lock.benchmarks.comparison.process.Pause;
import dev.baton.lock.benchmarks.comparison.process.ProcessMeter;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cost of an acquisition with more and more waiters for the same lock. */
public final class AsyncWaiters implements Scenario {

    private static final int MOST = 10_000;
    private static final int MOST_PAUSES = 100;
    private static final List<Integer> SIZES = List.of(1, 10, 100, 1_000, MOST);

    @Override
    public int number() {
        return 8;
    }

    @Override
    public String title() {
        return "Scale: up to 10,000 waiters for one lock";
    }

    @Override
    public String explanation() {
        return "So many `acquireAsync` of one process wait for one lock; each one that gets it releases it and waits again, for a second"
                + " per round: as long as a recheck, so that repeated commands of the waiters have their share."
                + " Heap per waiter is what is in use after a collection, with and without them, in a round that is not timed.";
    }

    @Override
    public Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        for (boolean strict : new boolean[] {false, true}) {
            SIZES.forEach(size -> lines.put(
                    line(strict, size), String.format("Baton%s, %,d waiting", strict ? ", strict order" : "", size)));
        }
        return lines;
    }

    /** How the results call one of the lines. */
    public static String line(boolean strict, int waiters) {
        return (strict ? "strict " : "cohort ") + waiters;
    }

    @Override
    public Metric headline() {
        return Metric.WAITER_MICROS;
    }

    @Override
    public @Nullable String base() {
        return null;
    }

    @Override
    public void run(Bench bench) throws InterruptedException {
        BatonLocks locks = BatonLocks.with("waiters");
        try (LockTemplate cohort = locks.start(bench.place());
                LockTemplate strict = locks.strict().start(bench.place())) {
            List<Turn> turns = new ArrayList<>();
            SIZES.forEach(size -> {
                int waiters = Math.min(size, bench.either(size, 100));
                turns.add(new Turn(cohort, line(false, size), waiters, size == MOST));
                turns.add(new Turn(strict, line(true, size), waiters, size == MOST));
            });
            bench.play(turns, warmUps(bench), bench.either(5, 1), (turn, round) -> play(bench, turn, round));
        }
    }

    private static int warmUps(Bench bench) {
        return bench.either(3, 1);
    }

    private void play(Bench bench, Turn turn, int round) throws InterruptedException {
        LockRequest request = LockRequest.of("bench", bench.newName());
        Lease gate = turn.locks.acquire(request);
        // not in a round that is timed: the heap is small after a collection of everything, and collections are many
        boolean weighed = turn.weighed && round == -warmUps(bench);
        long heap = weighed ? ProcessMeter.heapBytes() : 0;
        WaitingRoom room = WaitingRoom.fill(turn.locks, request, turn.waiters);
        // all have asked by then
        Pause.of(Duration.ofMillis(100));
        if (weighed) {
            double each = (ProcessMeter.heapBytes() - heap) / (double) turn.waiters;
            bench.results().add(number(), turn.line, 0, Metric.HEAP_BYTES, each);
        }
        Costs costs = Costs.start(bench.meter(), ProcessMeter::cpuNanos);
        long start = System.nanoTime();
        gate.release();
        double acquisitions = 0;
        // once, unless the machine is so busy that no caller has had the lock yet
        for (int pause = 0; pause < MOST_PAUSES && acquisitions == 0; pause++) {
            Pause.of(Duration.ofMillis(bench.either(1_000, 30)));
            acquisitions = room.acquisitions();
        }
        long nanos = System.nanoTime() - start;
        if (round >= 0) {
            costs.add(bench.results(), number(), turn.line, round, acquisitions);
            bench.results().add(number(), turn.line, round, Metric.WAITER_MICROS, nanos / 1e3 / acquisitions);
        }
        room.empty();
    }

    private record Turn(LockTemplate locks, String line, int waiters, boolean weighed) {}
}
