package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.BatonLocks;
import dev.baton.lock.benchmarks.comparison.contender.Contender;
import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.CommandCount;
import dev.baton.lock.benchmarks.comparison.process.Pause;
import dev.baton.lock.benchmarks.comparison.process.Workers;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import java.time.Duration;
import java.util.List;

/** Two hundred threads of four processes wait for one lock, which is held for five seconds. */
public final class Crowd extends Contest {

    private static final Duration SETTLE = Duration.ofMillis(1_500);
    /** So many rechecks: each process has at most one in each. */
    private static final Duration IDLE = BatonLocks.RECHECK.multipliedBy(3);

    /** Until the warnings of slow waits are due, which are no commands of idle waiters. */
    private static final Duration REST = Duration.ofMillis(500);

    @Override
    public int number() {
        return 6;
    }

    @Override
    public String title() {
        return "Two hundred waiters of four processes";
    }

    @Override
    public String explanation() {
        return "All wait for one lock that a fifth process holds for 5 s, take it once it is released, and give it back at"
                + " once. \"Idle\" are 3 s of these, which end half a second before the release; the burst is from the release to the last"
                + " grant. The warnings of slow waits, which Baton logs after 5 s by default, fall into it or just before it."
                + " Commands are counted in a round of their own.";
    }

    @Override
    List<Contestant> contestants() {
        return List.of(
                Contestant.TOKEN_LIST,
                Contestant.REDISSON,
                Contestant.REDISSON_FAIR,
                Contestant.SPRING_SPIN,
                Contestant.SPRING_PUBSUB,
                Contestant.BATON,
                Contestant.BATON_STRICT,
                Contestant.BATON_JEDIS);
    }

    @Override
    public Metric headline() {
        return Metric.BURST_MILLIS;
    }

    @Override
    public String base() {
        return Contestant.REDISSON.name();
    }

    @Override
    public void run(Bench bench) throws InterruptedException {
        contestants().stream().filter(bench::takesPart).forEach(bench.workers()::open);
        bench.play(contestants(), 1, bench.either(3, 1), (contestant, round) -> {
            if (round < 0) {
                counted(bench, contestant);
            } else {
                timed(bench, contestant, round);
            }
        });
    }

    private void counted(Bench bench, Contestant contestant) throws InterruptedException {
        try (CommandCount commands = bench.count()) {
            Contender.Hold hold = gathered(bench, contestant);
            long before = commands.soFar();
            long start = System.nanoTime();
            Pause.of(idle(bench));
            long idle = commands.soFar() - before;
            add(bench, contestant, 0, Metric.IDLE_COMMANDS, idle * 1e9 / (System.nanoTime() - start));
            Pause.of(rest(bench));
            long released = commands.soFar();
            hold.release();
            bench.workers().passed();
            add(bench, contestant, 0, Metric.BURST_COMMANDS, (double) (commands.total() - released));
        }
    }

    private void timed(Bench bench, Contestant contestant, int round) throws InterruptedException {
        Workers workers = bench.workers();
        Contender.Hold hold = gathered(bench, contestant);
        Pause.of(idle(bench).plus(rest(bench)));
        Costs costs = Costs.start(bench.meter(), workers::cpuNanos);
        long start = System.nanoTime();
        hold.release();
        long last = workers.passed();
        costs.add(bench.results(), number(), contestant.name(), round, (double) threadsEach(bench) * workers.count());
        add(bench, contestant, round, Metric.BURST_MILLIS, (last - start) / 1e6);
    }

    private static Contender.Hold gathered(Bench bench, Contestant contestant) throws InterruptedException {
        String name = bench.newName();
        Contender contender = bench.contender(contestant);
        contender.prepare(name);
        Contender.Hold hold = contender.acquire(name);
        bench.workers().gather(contestant, name, threadsEach(bench));
        Pause.of(bench.quick() ? SETTLE.dividedBy(5) : SETTLE);
        return hold;
    }

    private static int threadsEach(Bench bench) {
        return bench.either(50, 5);
    }

    private static Duration rest(Bench bench) {
        return bench.quick() ? REST.dividedBy(10) : REST;
    }

    private static Duration idle(Bench bench) {
        return bench.quick() ? IDLE.dividedBy(10) : IDLE;
    }
}
