package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import dev.baton.lock.benchmarks.comparison.contender.Contestant;
import dev.baton.lock.benchmarks.comparison.process.Load;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Sixteen threads of one process share one lock: all as readers, or each now and then as the writer. */
public final class SharedLock extends SixteenThreads {

    /** One of so many acquisitions writes, if any does. */
    private static final int PER_WRITE = 20;

    private final boolean writes;

    private SharedLock(boolean writes) {
        super(500, 11);
        this.writes = writes;
    }

    /** Readers only. */
    public static SharedLock readers() {
        return new SharedLock(false);
    }

    /** Nineteen reads per write. */
    public static SharedLock mixed() {
        return new SharedLock(true);
    }

    @Override
    public int number() {
        return writes ? 14 : 13;
    }

    @Override
    public String title() {
        return writes ? "Sixteen threads, one lock, 95 % readers" : "Sixteen readers of one lock";
    }

    @Override
    public String explanation() {
        return "Acquisitions and releases one after the other, for half a second per round, by sixteen threads of one process,"
                + " with nothing done under the lock. "
                + (writes
                        ? "Each acquisition is that of a writer with a probability of 5 %, and of a reader otherwise. The wait"
                                + " of a writer is the time of its acquisition."
                        : "All acquisitions are those of readers. The bare pair shares nothing: each of its threads has a key"
                                + " of its own.")
                + " Redisson has no fair read-write lock.";
    }

    @Override
    List<Contestant> contestants() {
        return writes
                ? List.of(
                        Contestant.REDISSON_READ_WRITE,
                        Contestant.BATON,
                        Contestant.BATON_STRICT,
                        Contestant.BATON_PIPELINED,
                        Contestant.BATON_JEDIS)
                : List.of(
                        Contestant.BARE,
                        Contestant.REDISSON_READ_WRITE,
                        Contestant.BATON,
                        Contestant.BATON_PIPELINED,
                        Contestant.BATON_JEDIS);
    }

    @Override
    public String base() {
        return Contestant.REDISSON_READ_WRITE.name();
    }

    @Override
    long[] work(Bench bench, Contestant contestant, int round, String name, Load load) {
        Contender contender = bench.contender(contestant);
        if (!writes) {
            return load.run(number -> () -> contender.acquireShared(name));
        }
        List<Mix> mixes = Stream.generate(() -> new Mix(contender, name))
                .limit(load.threads())
                .toList();
        long[] counts = load.run(mixes::get);
        if (round >= 0) {
            List<Double> waits =
                    mixes.stream().flatMap(mix -> mix.waits().stream()).toList();
            Spread.of(waits).ifPresent(spread -> add(bench, contestant, round, Metric.WRITE_MICROS, spread.median()));
        }
        return counts;
    }

    /** Reads, and writes at random. For one thread. */
    static final class Mix implements Load.Acquisition {

        private final Contender contender;
        private final String name;
        /** How long each writer waited, in microseconds. */
        private final List<Double> waits = new ArrayList<>();

        Mix(Contender contender, String name) {
            this.contender = contender;
            this.name = name;
        }

        @Override
        public Contender.Hold acquire() throws InterruptedException {
            if (ThreadLocalRandom.current().nextInt(PER_WRITE) != 0) {
                return contender.acquireShared(name);
            }
            long start = System.nanoTime();
            Contender.Hold hold = contender.acquire(name);
            waits.add((System.nanoTime() - start) / 1e3);
            return hold;
        }

        List<Double> waits() {
            return waits;
        }
    }
}
