package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Contestant.Use;
import dev.baton.lock.benchmarks.comparison.process.Load;
import java.util.List;

/** Sixteen threads of one process take one of four permits each. */
public final class Permits extends SixteenThreads {

    /** Sets how long it takes. */
    public Permits() {
        super(500, 11);
    }

    @Override
    public int number() {
        return 15;
    }

    @Override
    public String title() {
        return "Sixteen threads, four permits";
    }

    @Override
    public String explanation() {
        return "One permit is acquired and released after the other, for half a second per round, by sixteen threads of one"
                + " process, with nothing done under the permit. Permits of Redisson have a lease of 30 s, which it does not"
                + " renew; without a lease, a process that dies would keep its permits for ever.";
    }

    @Override
    List<Contestant> contestants() {
        return those(contestant -> contestant.use() == Use.PERMITS);
    }

    @Override
    public String base() {
        return Contestant.REDISSON_PERMITS.name();
    }

    @Override
    long[] work(Bench bench, Contestant contestant, int round, String name, Load load) {
        return load.run(bench.contender(contestant), number -> name);
    }
}
