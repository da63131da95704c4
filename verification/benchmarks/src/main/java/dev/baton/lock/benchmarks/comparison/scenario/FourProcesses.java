package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.Load;
import dev.baton.lock.benchmarks.comparison.process.Workers;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.util.List;
import java.util.stream.LongStream;

/** Four processes contend for one lock with four threads each. */
public final class FourProcesses extends Contest {

    private static final int THREADS = 4;

    @Override
    public int number() {
        return 4;
    }

    @Override
    public String title() {
        return "Four processes, four threads each, one lock";
    }

    @Override
    public String explanation() {
        return "Acquisitions and releases one after the other, for a second per round, with nothing done under the lock.";
    }

    @Override
    List<Contestant> contestants() {
        return those(contestant -> contestant.use().contended());
    }

    @Override
    public Metric headline() {
        return Metric.PER_SECOND;
    }

    @Override
    public String base() {
        return Contestant.REDISSON.name();
    }

    @Override
    public void run(Bench bench) throws InterruptedException {
        Workers workers = bench.workers();
        contestants().stream().filter(bench::takesPart).forEach(workers::open);
        bench.meter().keyspaceEventsOff();
        long nanos = bench.either(1_000, 100) * 1_000_000L;
        bench.play(contestants(), bench.either(14, 1), bench.either(7, 1), (contestant, round) -> {
            String name = bench.newName();
            bench.contender(contestant).prepare(name);
            if (round == -1) {
                // each thread ends with one that comes too late to count
                int late = THREADS * workers.count();
                count(
                        bench,
                        contestant,
                        () -> LongStream.of(processes(work(workers, contestant, name, nanos)))
                                        .sum()
                                + late);
                return;
            }
            Costs costs = Costs.start(bench.meter(), workers::cpuNanos);
            List<long[]> threads = work(workers, contestant, name, nanos);
            if (round >= 0) {
                long[] processes = processes(threads);
                double acquisitions = LongStream.of(processes).sum();
                costs.add(bench.results(), number(), contestant.name(), round, acquisitions);
                add(bench, contestant, round, Metric.PER_SECOND, acquisitions * 1e9 / nanos);
                add(bench, contestant, round, Metric.PROCESSES, maxToMin(processes));
                add(
                        bench,
                        contestant,
                        round,
                        Metric.THREADS,
                        maxToMin(threads.stream().flatMapToLong(LongStream::of).toArray()));
            }
        });
    }

    private static List<long[]> work(Workers workers, Contestant contestant, String name, long nanos) {
        return workers.load(contestant, name, Load.soon(THREADS, nanos));
    }

    private static long[] processes(List<long[]> threads) {
        return threads.stream().mapToLong(counts -> LongStream.of(counts).sum()).toArray();
    }
}
