package dev.baton.lock.faults;

import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * The length, client and seed of a mixed load, as set by system properties.
 *
 * <p>A long load consists of runs of at most a minute, each with a Redis, a seed and a verdict of its own. The records
 * of a run are dropped before the next run, so that an hour needs no more memory than a minute.
 *
 * @param rounds the number of runs
 * @param length the length of one run
 * @param seed the seed of the first run; each further run has the next number
 */
record MixedPlan(Backend backend, int rounds, Duration length, long seed) {

    private static final long LONGEST = Duration.ofMinutes(1).toMillis();

    /** Reads {@code test.faults.seconds}, {@code test.faults.client} and {@code test.faults.seed}. */
    static MixedPlan ofProperties() {
        return of(
                client(System.getProperty("test.faults.client", "lettuce")),
                Duration.ofSeconds(Long.parseLong(System.getProperty("test.faults.seconds", "9"))),
                Long.getLong("test.faults.seed", System.nanoTime()));
    }

    static MixedPlan of(Client client, Duration total, long seed) {
        int rounds = Math.toIntExact((total.toMillis() + LONGEST - 1) / LONGEST);
        if (rounds < 1) {
            throw new IllegalArgumentException(
                    "test.faults.seconds is " + total.toSeconds() + ". Give 1 second or more.");
        }
        return new MixedPlan(new Backend(client, 0), rounds, total.dividedBy(rounds), seed);
    }

    private static Client client(String name) {
        return Client.valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Returns the seed of each run. */
    LongStream seeds() {
        return LongStream.range(seed, seed + rounds);
    }

    /** Starts a run over this client, behind proxies of its own. */
    MixedRun start(TestRedis redis, long runSeed) {
        return new MixedRun(redis, runSeed, (host, port) -> BatonContender.start(backend, host, port));
    }

    /** Returns the properties that repeat one run. */
    String repeat(long runSeed) {
        return "-Dtest.faults.seed=" + runSeed + " -Dtest.faults.seconds=" + length.toSeconds()
                + " -Dtest.faults.client=" + backend.client().name().toLowerCase(Locale.ROOT);
    }
}
