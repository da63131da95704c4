package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Contestant.Use;
import dev.baton.lock.benchmarks.comparison.process.Workers;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One process gives a lock for which another has waited. */
public final class HandOver extends Contest {

    @Override
    public int number() {
        return 5;
    }

    @Override
    public String title() {
        return "Hand-over between processes";
    }

    @Override
    public String explanation() {
        return "From just before the release in one process to the moment at which a thread of another has the lock, which"
                + " has waited for 50 to 150 ms; the median of a round of six. The bare hop ends in a waiting thread as well.";
    }

    @Override
    List<Contestant> contestants() {
        return those(contestant -> contestant.use().contended() || contestant.use() == Use.HOP);
    }

    @Override
    public Metric headline() {
        return Metric.HAND_OVER_MICROS;
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
        int handOvers = bench.either(6, 1);
        bench.play(contestants(), 1, bench.either(9, 1), (contestant, round) -> {
            if (round < 0) {
                count(
                        bench,
                        contestant,
                        () -> handOvers(bench, contestant, handOvers).size() * 2.0);
                return;
            }
            Costs costs = Costs.start(bench.meter(), workers::cpuNanos);
            double median = Spread.of(handOvers(bench, contestant, handOvers))
                    .orElseThrow()
                    .median();
            costs.add(bench.results(), number(), contestant.name(), round, handOvers * 2.0);
            add(bench, contestant, round, Metric.HAND_OVER_MICROS, median);
        });
    }

    private static List<Double> handOvers(Bench bench, Contestant contestant, int count) throws InterruptedException {
        List<Double> micros = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = bench.newName();
            bench.contender(contestant).prepare(name);
            int from = i % bench.workers().count();
            int to = (i + 1) % bench.workers().count();
            // never in step with a contestant's pause
            Duration blocked = Duration.ofMillis(50 + bench.random(100));
            micros.add(bench.workers().handOver(contestant, name, from, to, blocked) / 1e3);
        }
        return micros;
    }
}
