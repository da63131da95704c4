package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.Rally;
import dev.baton.lock.benchmarks.comparison.process.Workers;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Spread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Two processes hand a turn to each other. */
public final class PingPong extends Contest {

    @Override
    public int number() {
        return 16;
    }

    @Override
    public String title() {
        return "Ping-pong between two processes";
    }

    @Override
    public String explanation() {
        return "Two processes hand a turn to each other, a hundred turns per round. The time is from the beginning of a turn to"
                + " the beginning of the next one; the median of a round. With Baton, a player signals the condition of the"
                + " other one, and awaits its own; with lists, it puts an element into the list of the other one, and takes"
                + " one from its own. Both were warmed up until their time was steady. Commands, CPU times and bytes are per"
                + " turn, and include those that acquire the lock at first and release it at last.";
    }

    @Override
    List<Contestant> contestants() {
        return List.of(Contestant.TOKEN_LIST, Contestant.BATON, Contestant.BATON_JEDIS);
    }

    @Override
    public Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        contestants()
                .forEach(contestant -> lines.put(
                        contestant.name(),
                        contestant.isOurs()
                                ? contestant.label() + ", two conditions of one lock"
                                : "two lists, two `BLPOP`s (no lock)"));
        return lines;
    }

    @Override
    public Metric headline() {
        return Metric.HAND_OVER_MICROS;
    }

    @Override
    public String base() {
        return Contestant.TOKEN_LIST.name();
    }

    @Override
    public void run(Bench bench) throws InterruptedException {
        Workers workers = bench.workers();
        contestants().stream().filter(bench::takesPart).forEach(workers::open);
        Rally rally = new Rally(bench.either(100, 4));
        playUntilFailure(bench, bench.either(15, 1), (contestant, round) -> {
            if (round == -2) {
                Rally batch = new Rally(bench.either(500, 4));
                new Steady(bench.either(12, 1), bench.either(30, 1)).reach(() -> micros(bench, contestant, batch));
            } else if (round == -1) {
                count(bench, contestant, () -> micros(bench, contestant, rally).size() + 1);
            } else {
                Costs costs = Costs.start(bench.meter(), workers::cpuNanos);
                List<Double> micros = micros(bench, contestant, rally);
                costs.add(bench.results(), number(), contestant.name(), round, rally.turns());
                double median = Spread.of(micros).orElseThrow().median();
                add(bench, contestant, round, Metric.HAND_OVER_MICROS, median);
            }
        });
    }

    private static List<Double> micros(Bench bench, Contestant contestant, Rally rally) {
        return bench.workers().rally(contestant, bench.newName(), rally);
    }
}
