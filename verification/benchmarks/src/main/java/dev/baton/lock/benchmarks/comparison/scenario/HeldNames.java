package dev.baton.lock.benchmarks.comparison.scenario;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.benchmarks.comparison.contender.BatonLocks;
import dev.baton.lock.benchmarks.comparison.process.Pause;
import dev.baton.lock.benchmarks.comparison.process.ProcessMeter;
import dev.baton.lock.benchmarks.comparison.result.Metric;
import dev.baton.lock.benchmarks.comparison.result.Results;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One process holds a great many locks and renews them. */
public final class HeldNames implements Scenario {

    /** How the results call its line. */
    public static final String LINE = "held";

    private static final int AT_A_TIME = 256;

    @Override
    public int number() {
        return 8;
    }

    @Override
    public String title() {
        return "Scale: 100,000 locks held by one process";
    }

    @Override
    public String explanation() {
        return "Leases of 30 s, renewed after 10 s; all that process and Redis do during two thirds of a lease is renewing.";
    }

    @Override
    public Map<String, String> lines() {
        return Map.of(LINE, "Baton, 100,000 renewed leases");
    }

    @Override
    public Metric headline() {
        return Metric.RENEWAL_SHARE;
    }

    @Override
    public @Nullable String base() {
        return null;
    }

    @Override
    public void run(Bench bench) throws InterruptedException {
        Duration lease = Duration.ofSeconds(bench.either(30, 3));
        int count = bench.either(100_000, 2_000);
        BatonLocks names = BatonLocks.with("names");
        if (bench.quick()) {
            names = names.configured(builder -> builder.expire(lease));
        }
        try (LockTemplate locks = names.start(bench.place())) {
            long heap = ProcessMeter.heapBytes();
            List<CompletionStage<Lease>> stages = new ArrayList<>(count);
            inTurn(count, i -> {
                CompletionStage<Lease> stage = locks.acquireAsync(LockRequest.of("bench", "name-" + i));
                stages.add(stage);
                return stage;
            });
            List<Lease> leases = new ArrayList<>(count);
            stages.forEach(stage -> leases.add(stage.toCompletableFuture().join()));
            stages.clear();
            double each = (ProcessMeter.heapBytes() - heap) / (double) count;
            // the first renewals come within a third
            Pause.of(lease.dividedBy(3));
            renewals(bench, lease.multipliedBy(2).dividedBy(3));
            Results results = bench.results();
            results.add(number(), LINE, 0, Metric.HEAP_BYTES, each);
            double lost = leases.stream().filter(Lease::isExpired).count();
            results.add(number(), LINE, 0, Metric.LOST, lost);
            inTurn(count, i -> leases.get(i).releaseAsync());
        }
    }

    private void renewals(Bench bench, Duration window) throws InterruptedException {
        Costs costs = Costs.start(bench.meter(), ProcessMeter::cpuNanos);
        long start = System.nanoTime();
        Pause.of(window);
        double micros = (System.nanoTime() - start) / 1e3;
        bench.results().add(number(), LINE, 0, Metric.RENEWAL_SHARE, costs.clientMicros() / micros);
        bench.results().add(number(), LINE, 0, Metric.REDIS_SHARE, costs.redisMicros() / micros);
    }

    // not all at once: they would not be answered within a command's time
    private static void inTurn(int count, IntFunction<CompletionStage<?>> work) throws InterruptedException {
        Semaphore free = new Semaphore(AT_A_TIME);
        for (int i = 0; i < count; i++) {
            acquire(free, 1);
            work.apply(i).whenComplete((done, failure) -> free.release());
        }
        acquire(free, AT_A_TIME);
    }

    private static void acquire(Semaphore free, int permits) throws InterruptedException {
        if (!free.tryAcquire(permits, 1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("No answer for a minute");
        }
    }
}
