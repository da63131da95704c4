package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.benchmarks.comparison.process.RedisMeter;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Results;
import java.util.function.LongSupplier;

/** The processor time and the bytes that Redis and its clients use from a moment on. */
final class Costs {

    private final RedisMeter redis;
    private final LongSupplier clientNanos;
    private final long clientBefore;
    private final double redisBefore;
    private final RedisMeter.Traffic trafficBefore;

    private Costs(RedisMeter redis, LongSupplier clientNanos) {
        this.redis = redis;
        this.clientNanos = clientNanos;
        this.clientBefore = clientNanos.getAsLong();
        this.redisBefore = redis.cpuMicros();
        this.trafficBefore = redis.traffic();
    }

    static Costs start(RedisMeter redis, LongSupplier clientNanos) {
        return new Costs(redis, clientNanos);
    }

    /** Adds what one acquisition has cost. */
    void add(Results results, int scenario, String contender, int round, double acquisitions) {
        results.add(scenario, contender, round, Metric.REDIS_MICROS, redisMicros() / acquisitions);
        results.add(scenario, contender, round, Metric.CLIENT_MICROS, clientMicros() / acquisitions);
        RedisMeter.Traffic traffic = redis.traffic();
        double received = traffic.received() - trafficBefore.received();
        results.add(scenario, contender, round, Metric.SENT_BYTES, received / acquisitions);
        double sent = traffic.sent() - trafficBefore.sent();
        results.add(scenario, contender, round, Metric.RECEIVED_BYTES, sent / acquisitions);
    }

    double redisMicros() {
        return redis.cpuMicros() - redisBefore;
    }

    double clientMicros() {
        return (clientNanos.getAsLong() - clientBefore) / 1e3;
    }
}
