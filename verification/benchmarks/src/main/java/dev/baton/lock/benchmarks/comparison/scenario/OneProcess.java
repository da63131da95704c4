package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.contender.Contestant.Use;
import dev.baton.lock.benchmarks.comparison.process.Load;
import java.util.List;

/** Sixteen threads of one process, each with a lock of its own or all with one. */
public final class OneProcess extends SixteenThreads {

    private final boolean ownKeys;

    private OneProcess(boolean ownKeys, int millis, int rounds) {
        super(millis, rounds);
        this.ownKeys = ownKeys;
    }

    /** Each with its own. */
    public static OneProcess ownKeys() {
        return new OneProcess(true, 250, 15);
    }

    /** All with one. */
    public static OneProcess oneKey() {
        return new OneProcess(false, 500, 11);
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
    public String base() {
        return (ownKeys ? Contestant.BARE : Contestant.REDISSON).name();
    }

    @Override
    long[] work(Bench bench, Contestant contestant, int round, String name, Load load) {
        return load.run(bench.contender(contestant), number -> ownKeys ? name + "-" + number : name);
    }
}
