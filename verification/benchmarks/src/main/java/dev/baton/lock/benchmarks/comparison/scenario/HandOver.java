package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Contestant.Use;
import dev.baton.lock.benchmarks.comparison.process.Relay;
import dev.baton.lock.benchmarks.comparison.process.Workers;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Spread;
import java.util.List;

/** One process gives a lock for which another waits: in quick succession, or after a rest. */
public final class HandOver extends Contest {

    /** Long enough for most waiters to have asked, and short enough for thousands of hand-overs. */
    private static final int WARM_UP_MICROS = 1_000;

    /** The waiter has asked Redis by then, and has subscribed where it does so for each wait. */
    private static final int SHORT_MICROS = 5_000;

    private static final int REST_MICROS = 50_000;
    /** The longest pause between two looks of a contestant that polls: the release comes at any time within it. */
    private static final int POLL_MICROS = 100_000;

    private final boolean rested;

    private HandOver(boolean rested) {
        this.rested = rested;
    }

    /** In quick succession. */
    public static HandOver warm() {
        return new HandOver(false);
    }

    /** After a rest before each hand-over. */
    public static HandOver rested() {
        return new HandOver(true);
    }

    @Override
    public int number() {
        return rested ? 10 : 5;
    }

    @Override
    public String title() {
        return rested ? "Hand-over between processes after a rest" : "Hand-over between processes";
    }

    @Override
    public String explanation() {
        return "Two processes hand locks over to each other. The time is from just before the release in one process to"
                + " the moment at which the waiting thread of the other has the lock. "
                + (rested
                        ? "Both processes and Redis rest for 50 to 150 ms before each hand-over; the median of a round of six."
                        : "The waiter has waited for 5 ms, or for up to 105 ms where it polls; the median of a round of ten.")
                + " All contenders that do not poll were warmed up by hand-overs until their time was steady, and so was the"
                + " bare hop, which ends in a waiting thread as well. Commands, CPU times and bytes include the acquisition"
                + " of the giver.";
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
        int handOvers = bench.either(rested ? 6 : 10, 2);
        int rounds = bench.either(rested ? 9 : 15, 1);
        playUntilFailure(
                bench,
                rounds,
                (contestant, round) -> handOver(bench, contestant, round, relay(bench, contestant, handOvers)));
    }

    private void handOver(Bench bench, Contestant contestant, int round, Relay relay) throws InterruptedException {
        if (round == -2) {
            warmUp(bench, contestant);
        } else if (round == -1) {
            count(bench, contestant, () -> micros(bench, contestant, relay).size() * 2.0);
        } else {
            Costs costs = Costs.start(bench.meter(), bench.workers()::cpuNanos);
            List<Double> micros = micros(bench, contestant, relay);
            costs.add(bench.results(), number(), contestant.name(), round, relay.handOvers() * 2.0);
            double median = Spread.of(micros).orElseThrow().median();
            add(bench, contestant, round, Metric.HAND_OVER_MICROS, median);
        }
    }

    private static void warmUp(Bench bench, Contestant contestant) throws InterruptedException {
        // the time of a contestant that polls is that of its pause
        if (!contestant.polls()) {
            // with a pause: otherwise the other process often does not wait yet
            Relay relay = new Relay(bench.either(500, 2), WARM_UP_MICROS, 0);
            new Steady(bench.either(12, 1), bench.either(30, 1)).reach(() -> micros(bench, contestant, relay));
        }
    }

    private Relay relay(Bench bench, Contestant contestant, int handOvers) {
        int poll = POLL_MICROS / bench.either(1, 10);
        if (rested) {
            return new Relay(handOvers, REST_MICROS / bench.either(1, 10), poll);
        }
        return new Relay(handOvers, SHORT_MICROS, contestant.polls() ? poll : 0);
    }

    private static List<Double> micros(Bench bench, Contestant contestant, Relay relay) {
        return bench.workers().relay(contestant, bench.newName(), relay);
    }
}
