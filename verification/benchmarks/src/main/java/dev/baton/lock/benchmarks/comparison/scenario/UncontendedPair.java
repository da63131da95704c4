package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.ProcessMeter;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.util.List;

/** One thread takes a free lock and gives it back, again and again. */
public final class UncontendedPair extends Contest {

    @Override
    public int number() {
        return 1;
    }

    @Override
    public String title() {
        return "Uncontended pair, one thread";
    }

    @Override
    public String explanation() {
        return "60 rounds of 250 pairs of acquire and release, of one lock that no other caller wants.";
    }

    @Override
    List<Contestant> contestants() {
        return those(contestant -> contestant.use().uncontended());
    }

    @Override
    public Metric headline() {
        return Metric.PAIR_MICROS;
    }

    @Override
    public String base() {
        return Contestant.BARE.name();
    }

    @Override
    public void run(Bench bench) throws InterruptedException {
        int pairs = bench.either(250, 20);
        bench.play(contestants(), bench.either(40, 1), bench.either(60, 2), (contestant, round) -> {
            Contender contender = bench.contender(contestant);
            String name = bench.newName();
            if (round == -1) {
                count(bench, contestant, () -> pairs(contender, name, pairs));
                return;
            }
            Costs costs = Costs.start(bench.meter(), ProcessMeter::cpuNanos);
            long start = System.nanoTime();
            pairs(contender, name, pairs);
            long nanos = System.nanoTime() - start;
            if (round >= 0) {
                costs.add(bench.results(), number(), contestant.name(), round, pairs);
                add(bench, contestant, round, Metric.PAIR_MICROS, nanos / 1e3 / pairs);
            }
        });
    }

    private static double pairs(Contender contender, String name, int pairs) throws InterruptedException {
        for (int i = 0; i < pairs; i++) {
            contender.acquire(name).release();
        }
        return pairs;
    }
}
