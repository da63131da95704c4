package dev.baton.lock.benchmarks.observation;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.benchmarks.interception.LockedApplication;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.context.ConfigurableApplicationContext;

/** One uncontended acquisition of a lock in memory, by one thread, as it is told to meters and observations. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls start() first
public class ObservationBenchmark {

    static final String PARAMETER = "registries";

    @Param
    Registries registries;

    private final LockRequest request = LockRequest.of("server_access").expire(Duration.ofSeconds(10));

    private ConfigurableApplicationContext context;
    private LockOperations locks;

    /** Starts the application. */
    @Setup
    public void start() {
        context = LockedApplication.start(registries.sources());
        locks = context.getBean(LockTemplate.class);
    }

    /** Ends it. */
    @TearDown
    public void stop() {
        context.close();
    }

    /** Acquires and releases. */
    @Benchmark
    public long acquisition() {
        return locks.execute(request, lease -> lease.fencingToken());
    }
}
