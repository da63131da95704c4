package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.Workers;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.util.List;

/** Two processes use one lock in turns, never at the same time. */
public final class Turns extends Contest {

    private final int each;

    private Turns(int each) {
        this.each = each;
    }

    /** With one acquisition per turn. */
    public static Turns ofOne() {
        return new Turns(1);
    }

    /** With ten acquisitions per turn. */
    public static Turns ofTen() {
        return new Turns(10);
    }

    @Override
    public int number() {
        return each == 1 ? 11 : 12;
    }

    @Override
    public String title() {
        return "Two processes in turns, " + (each == 1 ? "one acquisition" : "ten acquisitions") + " per turn";
    }

    @Override
    public String explanation() {
        return "Two processes use one lock, never at the same time: " + (each == 1 ? "40" : "20")
                + " turns per round, each begun by a message outside of Redis. The time is that of the acquisitions and"
                + " releases in a turn. The CPU time of the clients includes the messages.";
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
        Workers workers = bench.workers();
        contestants().stream().filter(bench::takesPart).forEach(workers::open);
        bench.meter().keyspaceEventsOff();
        int turns = bench.either(each == 1 ? 40 : 20, 2);
        double pairs = (double) turns * each;
        playUntilFailure(bench, bench.either(15, 1), (contestant, round) -> {
            String name = bench.newName();
            if (round == -2) {
                int many = bench.either(250, 2);
                new Steady(bench.either(10, 1), bench.either(50, 1))
                        .reach(() -> List.of(micros(workers, contestant, name, 2, many)));
            } else if (round == -1) {
                count(bench, contestant, () -> {
                    micros(workers, contestant, name, turns, each);
                    return pairs;
                });
            } else {
                Costs costs = Costs.start(bench.meter(), workers::cpuNanos);
                double micros = micros(workers, contestant, name, turns, each);
                costs.add(bench.results(), number(), contestant.name(), round, pairs);
                add(bench, contestant, round, Metric.PAIR_MICROS, micros / pairs);
            }
        });
    }

    private static double micros(Workers workers, Contestant contestant, String name, int turns, int each) {
        return workers.turns(contestant, name, turns, each) / 1e3;
    }
}
