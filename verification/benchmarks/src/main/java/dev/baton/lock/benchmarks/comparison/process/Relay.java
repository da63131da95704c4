package dev.baton.lock.benchmarks.comparison.process;

import dev.baton.lock.benchmarks.comparison.contender.Contender;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two processes that hand locks over to each other, in turns. Each hand-over has a lock of its own: the giver holds it before
 * the other process begins to wait for it.
 *
 * @param handOvers the number of hand-overs, at least 2
 * @param restMicros how long the giver pauses before each release
 * @param spreadMicros how much longer the pause may be, at random
 */
public record Relay(int handOvers, long restMicros, long spreadMicros) {

    /** The name of the lock of one hand-over. */
    static String name(String prefix, int handOver) {
        return prefix + "-" + handOver;
    }

    /** Acquires a lock that is free. */
    static Contender.Hold take(Contender contender, String name) throws InterruptedException {
        contender.prepare(name);
        return contender.acquire(name);
    }

    /**
     * Does the part of one process.
     *
     * @param prefix the first part of the names
     * @param me 0 for the process that gives first, 1 for the other
     * @param taken the first lock that this process gives
     * @return for each hand-over the time just before the release or just after the grant
     */
    long[] run(Contender contender, String prefix, int me, Contender.Hold taken) throws InterruptedException {
        long[] times = new long[handOvers];
        Contender.Hold giving = taken;
        for (int i = 0; i < handOvers; i++) {
            if (i % 2 == me) {
                Contender.Hold next = next(contender, prefix, i + 2);
                pause();
                times[i] = System.nanoTime();
                giving.release();
                giving = next == null ? giving : next;
            } else {
                Contender.Hold granted = contender.acquire(name(prefix, i));
                times[i] = System.nanoTime();
                granted.release();
            }
        }
        return times;
    }

    // before the release: once the other process has the lock, it goes on to wait for this one
    private Contender.@Nullable Hold next(Contender contender, String prefix, int handOver)
            throws InterruptedException {
        return handOver < handOvers ? take(contender, name(prefix, handOver)) : null;
    }

    private void pause() throws InterruptedException {
        long micros = restMicros + ThreadLocalRandom.current().nextLong(spreadMicros + 1);
        if (micros > 0) {
            TimeUnit.MICROSECONDS.sleep(micros);
        }
    }
}
