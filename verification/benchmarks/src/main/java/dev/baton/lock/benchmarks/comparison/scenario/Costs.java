package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.process.RedisMeter;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Results;
import java.util.function.LongSupplier;

/** The processor time that Redis and its clients use from a moment on. */
final class Costs {

    private final RedisMeter redis;
    private final LongSupplier clientNanos;
    private final long clientBefore;
    private final double redisBefore;

    private Costs(RedisMeter redis, LongSupplier clientNanos) {
        this.redis = redis;
        this.clientNanos = clientNanos;
        this.clientBefore = clientNanos.getAsLong();
        this.redisBefore = redis.cpuMicros();
    }

    static Costs start(RedisMeter redis, LongSupplier clientNanos) {
        return new Costs(redis, clientNanos);
    }

    /** Adds what one acquisition has cost. */
    void add(Results results, int scenario, String contender, int round, double acquisitions) {
        results.add(scenario, contender, round, Metric.REDIS_MICROS, redisMicros() / acquisitions);
        results.add(scenario, contender, round, Metric.CLIENT_MICROS, clientMicros() / acquisitions);
    }

    double redisMicros() {
        return redis.cpuMicros() - redisBefore;
    }

    double clientMicros() {
        return (clientNanos.getAsLong() - clientBefore) / 1e3;
    }
}
