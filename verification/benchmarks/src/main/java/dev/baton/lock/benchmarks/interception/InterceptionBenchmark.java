package dev.baton.lock.benchmarks.interception;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.context.ConfigurableApplicationContext;

/** One uncontended call under a lock in memory, by one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls start() first
public class InterceptionBenchmark {

    private final LockRequest constant = LockRequest.of(LockedCalls.SCOPE).expire(expire());
    private final String id = "42";

    private ConfigurableApplicationContext context;
    private LockOperations locks;
    private LockedCalls calls;

    /** Starts the application. */
    @Setup
    public void start() {
        context = LockedApplication.start();
        locks = context.getBean(LockTemplate.class);
        calls = context.getBean(LockedCalls.class);
    }

    /** Ends it. */
    @TearDown
    public void stop() {
        context.close();
    }

    /** By hand, with a request that is made once. */
    @Benchmark
    public int byHandConstant() {
        return locks.execute(constant, lease -> LockedCalls.work(id));
    }

    /** By hand, with a request for the key of the call. */
    @Benchmark
    public int byHandKeyed() {
        return locks.execute(LockRequest.of(LockedCalls.SCOPE, id).expire(expire()), lease -> LockedCalls.work(id));
    }

    /** The annotation without a key. */
    @Benchmark
    public int annotationConstant() {
        return calls.constant(id);
    }

    /** The annotation with a SpEL key. */
    @Benchmark
    public int annotationKeyed() {
        return calls.keyed(id);
    }

    private static Duration expire() {
        return Duration.ofSeconds(LockedCalls.EXPIRE_SECONDS);
    }
}
