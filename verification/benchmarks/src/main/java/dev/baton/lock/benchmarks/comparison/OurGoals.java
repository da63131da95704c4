package dev.baton.lock.benchmarks.comparison;

import static dev.baton.lock.benchmarks.comparison.result.Metric.BURST_COMMANDS;
import static dev.baton.lock.benchmarks.comparison.result.Metric.BURST_MILLIS;
import static dev.baton.lock.benchmarks.comparison.result.Metric.COMMANDS;
import static dev.baton.lock.benchmarks.comparison.result.Metric.HAND_OVER_MICROS;
import static dev.baton.lock.benchmarks.comparison.result.Metric.HEAP_BYTES;
import static dev.baton.lock.benchmarks.comparison.result.Metric.IDLE_COMMANDS;
import static dev.baton.lock.benchmarks.comparison.result.Metric.LOST;
import static dev.baton.lock.benchmarks.comparison.result.Metric.PAIR_MICROS;
import static dev.baton.lock.benchmarks.comparison.result.Metric.PER_SECOND;
import static dev.baton.lock.benchmarks.comparison.result.Metric.PROCESSES;
import static dev.baton.lock.benchmarks.comparison.result.Metric.RENEWAL_SHARE;
import static dev.baton.lock.benchmarks.comparison.result.Metric.THREADS;
import static dev.baton.lock.benchmarks.comparison.result.Metric.WAITER_MICROS;

import dev.baton.lock.benchmarks.comparison.contender.BatonLocks;
import dev.baton.lock.benchmarks.comparison.result.Goal;
import dev.baton.lock.benchmarks.comparison.result.Goals;
import dev.baton.lock.benchmarks.comparison.result.Results;
import dev.baton.lock.benchmarks.comparison.scenario.AsyncWaiters;
import dev.baton.lock.benchmarks.comparison.scenario.Bench;
import dev.baton.lock.benchmarks.comparison.scenario.HeldNames;
import java.util.List;

/** What Baton is to reach. The names are those of contestants and lines. */
final class OurGoals {

    private static final String BATON = "BATON";
    private static final String STRICT = "BATON_STRICT";
    private static final String JEDIS = "BATON_JEDIS";
    private static final String REDISSON = "REDISSON";
    private static final String REDISSON_SHARED = "REDISSON_READ_WRITE";
    private static final String SPIN = "SPRING_SPIN";
    private static final String BARE = "BARE";

    private OurGoals() {}

    static List<Goal> of(Results results) {
        Goals goals = new Goals(results);
        uncontended(goals);
        contended(goals);
        handedOver(goals);
        shared(goals);
        permits(goals);
        conditions(goals);
        commands(goals);
        scale(goals);
        return goals.all();
    }

    private static void uncontended(Goals goals) {
        goals.atMost("uncontended pair: time / bare pair", 1.30, 1, PAIR_MICROS, BATON, BARE)
                .atMost("… time / Redisson", 0.85, 1, PAIR_MICROS, BATON, REDISSON)
                .atMost("… time / Spring Integration spin", 0.85, 1, PAIR_MICROS, BATON, SPIN)
                .atMost("… over Jedis: time / bare pair over Lettuce", 0.95, 1, PAIR_MICROS, JEDIS, BARE)
                .atMost("… over Jedis: time / Redisson", 0.62, 1, PAIR_MICROS, JEDIS, REDISSON)
                .atMost("… pipelined: time / bare pair", 0.75, 1, PAIR_MICROS, "BATON_PIPELINED", BARE)
                .atLeast("16 threads, own keys: rate / bare pair", 0.70, 2, PER_SECOND, BATON, BARE)
                .atLeast("… rate / Redisson", 2.6, 2, PER_SECOND, BATON, REDISSON);
    }

    private static void contended(Goals goals) {
        goals.atLeast("one process, 16 threads, one key: rate / Redisson", 16, 3, PER_SECOND, BATON, REDISSON)
                .atMost("… threads max/min", 1.1, 3, THREADS, BATON)
                .atLeast("… strict order: rate / Redisson", 2.1, 3, PER_SECOND, STRICT, REDISSON)
                .atLeast("4 processes × 4, one key: rate / Redisson", 35, 4, PER_SECOND, BATON, REDISSON)
                .atMost("… processes max/min", 1.1, 4, PROCESSES, BATON)
                .atLeast("… strict order: rate / Redisson", 5, 4, PER_SECOND, STRICT, REDISSON)
                .atLeast("… strict order: rate / Spring Integration spin", 1.6, 4, PER_SECOND, STRICT, SPIN);
    }

    private static void handedOver(Goals goals) {
        double rechecks = Bench.PROCESSES / (double) BatonLocks.RECHECK.toSeconds();
        goals.atMost(
                        "hand-over between processes, p50: time / warm `PUBLISH` hop",
                        1.45,
                        5,
                        HAND_OVER_MICROS,
                        BATON,
                        "PUBLISH_HOP")
                .atMost("… time / Redisson", 0.55, 5, HAND_OVER_MICROS, BATON, REDISSON)
                .atMost(
                        "200 waiters: commands/s while idle, one recheck per process and second",
                        rechecks,
                        6,
                        IDLE_COMMANDS,
                        BATON)
                .atMost("… burst: time / Redisson", 0.15, 6, BURST_MILLIS, BATON, REDISSON)
                .atMost("… burst: commands / Redisson", 0.05, 6, BURST_COMMANDS, BATON, REDISSON)
                .atMost("… strict order: time / Redisson", 0.45, 6, BURST_MILLIS, STRICT, REDISSON);
    }

    private static void shared(Goals goals) {
        goals.atLeast("16 readers of one lock: rate / bare pair", 0.5, 13, PER_SECOND, BATON, BARE)
                .atLeast("… rate / Redisson's read lock", 2, 13, PER_SECOND, BATON, REDISSON_SHARED)
                .atMost("… commands per acquisition", 2, 13, COMMANDS, BATON)
                .atLeast(
                        "19 reads per write: rate / Redisson's read-write lock",
                        2,
                        14,
                        PER_SECOND,
                        BATON,
                        REDISSON_SHARED)
                .atMost("… commands per acquisition", 2.05, 14, COMMANDS, BATON);
    }

    private static void permits(Goals goals) {
        goals.atLeast("4 permits, 16 threads: rate / Redisson", 2, 15, PER_SECOND, "BATON_PERMITS", "REDISSON_PERMITS")
                .atMost("… commands per acquisition", 2.05, 15, COMMANDS, "BATON_PERMITS");
    }

    private static void conditions(Goals goals) {
        goals.atMost("ping-pong over conditions: time / two `BLPOP`s", 3, 16, HAND_OVER_MICROS, BATON, "TOKEN_LIST")
                .atMost("… commands per turn", 2.05, 16, COMMANDS, BATON);
    }

    private static void commands(Goals goals) {
        goals.atMost("commands per acquisition, uncontended", 2, 1, COMMANDS, BATON)
                .atMost("… contended, strict order (4 processes × 4)", 2.05, 4, COMMANDS, STRICT)
                .atMost("… with cohort (4 processes × 4)", 0.2, 4, COMMANDS, BATON);
    }

    private static void scale(Goals goals) {
        for (boolean strict : new boolean[] {false, true}) {
            String most = AsyncWaiters.line(strict, 10_000);
            String few = AsyncWaiters.line(strict, 10);
            String mode = strict ? "… strict order" : "10,000 waiters";
            goals.atMost(mode + ": time per acquisition / with 10 waiters", 1.5, 8, WAITER_MICROS, most, few)
                    .atMost(mode + ": heap per waiter, bytes", 2_048, 8, HEAP_BYTES, most);
        }
        goals.atMost("100,000 renewed leases: share of a core", 0.25, 8, RENEWAL_SHARE, HeldNames.LINE)
                .atMost("… leases lost", 0, 8, LOST, HeldNames.LINE);
    }
}
