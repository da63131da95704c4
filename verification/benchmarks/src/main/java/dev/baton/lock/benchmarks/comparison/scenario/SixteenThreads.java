package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.Load;
import dev.baton.lock.benchmarks.comparison.process.ProcessMeter;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.util.stream.LongStream;

/** Sixteen threads of one process acquire and release as often as they can. */
abstract class SixteenThreads extends Contest {

    static final int THREADS = 16;

    private final int millis;
    private final int rounds;

    /**
     * Sets how long it takes if figures matter.
     *
     * @param millis the length of a round in milliseconds
     * @param rounds the number of rounds that count
     */
    SixteenThreads(int millis, int rounds) {
        this.millis = millis;
        this.rounds = rounds;
    }

    @Override
    public Metric headline() {
        return Metric.PER_SECOND;
    }

    /** Does the work of one round, and returns the acquisitions of each thread. */
    abstract long[] work(Bench bench, Contestant contestant, int round, String name, Load load);

    @Override
    public void run(Bench bench) throws InterruptedException {
        long nanos = bench.either(millis, 50) * 1_000_000L;
        int warmUps = bench.either(12, 1);
        bench.play(contestants(), warmUps, bench.either(rounds, 2), (contestant, round) -> {
            Contender contender = bench.contender(contestant);
            String name = bench.newName();
            contender.prepare(name);
            if (round == -1) {
                // each thread ends with one that comes too late to count
                count(
                        bench,
                        contestant,
                        () -> LongStream.of(work(bench, contestant, round, name, soon(nanos)))
                                        .sum()
                                + THREADS);
                return;
            }
            Costs costs = Costs.start(bench.meter(), ProcessMeter::cpuNanos);
            long[] counts = work(bench, contestant, round, name, soon(nanos));
            if (round >= 0) {
                double acquisitions = LongStream.of(counts).sum();
                costs.add(bench.results(), number(), contestant.name(), round, acquisitions);
                add(bench, contestant, round, Metric.PER_SECOND, acquisitions * 1e9 / nanos);
                add(bench, contestant, round, Metric.THREADS, maxToMin(counts));
            }
        });
    }

    private static Load soon(long nanos) {
        return Load.soon(THREADS, nanos);
    }
}
