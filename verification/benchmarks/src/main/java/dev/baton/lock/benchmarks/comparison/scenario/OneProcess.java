package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Contestant.Use;
import dev.baton.lock.benchmarks.comparison.process.Load;
import dev.baton.lock.benchmarks.comparison.process.ProcessMeter;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.util.List;
import java.util.stream.LongStream;

/** Sixteen threads of one process, each with a lock of its own or all with one. */
public final class OneProcess extends Contest {

    private static final int THREADS = 16;

    private final boolean ownKeys;

    private OneProcess(boolean ownKeys) {
        this.ownKeys = ownKeys;
    }

    /** Each with its own. */
    public static OneProcess ownKeys() {
        return new OneProcess(true);
    }

    /** All with one. */
    public static OneProcess oneKey() {
        return new OneProcess(false);
    }

    @Override
    public int number() {
        return ownKeys ? 2 : 3;
    }

    @Override
    public String title() {
        return ownKeys ? "Sixteen threads, a lock each" : "One process, sixteen threads, one lock";
    }

    @Override
    public String explanation() {
        return "Acquisitions and releases one after the other, for " + (ownKeys ? "a quarter" : "half")
                + " of a second per round, with nothing done under the lock.";
    }

    @Override
    List<Contestant> contestants() {
        return those(contestant -> ownKeys
                ? contestant.use().uncontended()
                : contestant.use().contended() || contestant.use() == Use.THREADS);
    }

    @Override
    public Metric headline() {
        return Metric.PER_SECOND;
    }

    @Override
    public String base() {
        return (ownKeys ? Contestant.BARE : Contestant.REDISSON).name();
    }

    @Override
    public void run(Bench bench) throws InterruptedException {
        long nanos = bench.either(ownKeys ? 250 : 500, 50) * 1_000_000L;
        int warmUps = bench.either(12, 1);
        bench.play(contestants(), warmUps, bench.either(ownKeys ? 15 : 11, 2), (contestant, round) -> {
            Contender contender = bench.contender(contestant);
            String name = bench.newName();
            contender.prepare(name);
            if (round == -1) {
                // each thread ends with one that comes too late to count
                count(
                        bench,
                        contestant,
                        () -> LongStream.of(work(contender, name, nanos)).sum() + THREADS);
                return;
            }
            Costs costs = Costs.start(bench.meter(), ProcessMeter::cpuNanos);
            long[] counts = work(contender, name, nanos);
            if (round >= 0) {
                double acquisitions = LongStream.of(counts).sum();
                costs.add(bench.results(), number(), contestant.name(), round, acquisitions);
                add(bench, contestant, round, Metric.PER_SECOND, acquisitions * 1e9 / nanos);
                add(bench, contestant, round, Metric.THREADS, maxToMin(counts));
            }
        });
    }

    private long[] work(Contender contender, String name, long nanos) {
        return Load.soon(THREADS, nanos).run(contender, number -> ownKeys ? name + "-" + number : name);
    }
}
