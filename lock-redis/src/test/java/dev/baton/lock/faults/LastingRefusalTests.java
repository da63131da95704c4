package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests a Redis that refuses writes for a long time, while callers try a thousand times per second; the system property
 * {@code test.faults.refused} sets the number of seconds.
 */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class LastingRefusalTests extends FaultScene {

    private static final Logger log = LoggerFactory.getLogger(LastingRefusalTests.class);

    private static final Duration TRYING = Duration.ofSeconds(Integer.getInteger("test.faults.refused", 2));
    private static final Duration RECHECK = Duration.ofMillis(500);
    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final int CALLERS = 4;
    /** The time between two tries of a caller. */
    private static final long PERIOD_MILLIS = 4;
    /** A run with fewer tries is not conclusive. A busy machine makes fewer than two thousand. */
    private static final long LEAST_TRIES = 100;
    /** The number of commands per second for renewals and the one waiter, with some reserve. */
    private static final long NEEDED = 20;

    /** The memory that loaded classes and compiled code may take. A pending end takes some 200 bytes. */
    private static final long NOISE = 4L << 20;

    private static final String KEPT = "lock:lock:{kept.global}";

    LastingRefusalTests(Backend backend) {
        super(backend);
    }

    /** A reason to refuse writes. */
    enum Refusal {
        /** A replica, as after a failover: no lease can be renewed, and this lease outlasts the refusal. */
        READ_ONLY_REPLICA(Duration.ofSeconds(28).plus(TRYING), Duration.ofSeconds(10)) {
            @Override
            void begin(TestRedis redis) {
                redis.command("REPLICAOF", "127.0.0.1", "1");
            }

            @Override
            void end(TestRedis redis) {
                redis.command("REPLICAOF", "NO", "ONE");
            }
        },
        /** Redis still extends and deletes keys. */
        OUT_OF_MEMORY(Duration.ofSeconds(3), Duration.ofMillis(1500)) {
            @Override
            void begin(TestRedis redis) {
                redis.command("CONFIG", "SET", "maxmemory", "1");
            }

            @Override
            void end(TestRedis redis) {
                redis.command("CONFIG", "SET", "maxmemory", "0");
            }
        };

        private final Duration lease;
        /** The time that a lease always has left. */
        private final Duration least;

        Refusal(Duration lease, Duration least) {
            this.lease = lease;
            this.least = least;
        }

        abstract void begin(TestRedis redis);

        abstract void end(TestRedis redis);
    }

    @ParameterizedTest
    @EnumSource
    void refusedTriesCostOneCommandEachAndLeaveNothing(Refusal refusal) throws Exception {
        Engine holder = engine(builder -> builder.expire(refusal.lease));
        Engine caller = engine(builder -> builder.expire(refusal.lease).recheck(RECHECK));
        Lease held = holder.locks().acquire(LockRequest.of("held"));
        Lease kept = caller.locks().acquire(LockRequest.of("kept"));
        LockRequest patient = LockRequest.of("held").waitTime(TRYING.plusSeconds(28));
        CompletableFuture<Lease> waiter = caller.locks().acquireAsync(patient).toCompletableFuture();
        await().until(() -> EngineCounters.placed(caller.locks()) == 1);
        long heap = usedHeap();
        refusal.begin(redis);
        try {
            long before = scripts();
            long tries = tryFor(TRYING, caller, refusal.least);
            assertThat(tries).as("tries").isGreaterThan(LEAST_TRIES);
            assertThat(scripts() - before)
                    .as("commands for %d tries", tries)
                    .isLessThan(tries + tries / 4 + NEEDED * TRYING.toSeconds());
            // the lease and the waiter only: no try, and no end of a try
            await().atMost(RECHECK).until(() -> EngineCounters.openRequests(caller.locks()) == 2);
            long after = scriptsWithin(QUIET, refusal.least);
            assertThat(after).as("commands in a second without tries").isLessThan(NEEDED);
            long growth = usedHeap() - heap;
            log.info("{} refused tries left {} bytes, and {} commands in a second", tries, growth, after);
            assertThat(growth).as("bytes of heap").isLessThan(NOISE);
        } finally {
            refusal.end(redis);
        }
        assertThat(caller.locks().tryAcquire(LockRequest.of("free")))
                .isPresent()
                .hasValueSatisfying(Lease::close);
        assertThat(held.release()).isTrue();
        assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        assertThat(kept.release()).isTrue();
        assertNothingIsLeft(Duration.ofSeconds(5), holder, caller);
    }

    /** Tries for the given time. Returns the number of tries, which are all refused. */
    private long tryFor(Duration length, Engine caller, Duration least) throws InterruptedException {
        AtomicLong tries = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        ScheduledExecutorService callers = Executors.newScheduledThreadPool(CALLERS);
        for (int i = 0; i < CALLERS; i++) {
            callers.scheduleAtFixedRate(
                    () -> {
                        long number = tries.incrementAndGet();
                        try {
                            caller.locks()
                                    .acquire(LockRequest.of("free", number % 50).waitTime(Duration.ZERO));
                        } catch (LockStoreException ex) {
                            refused.incrementAndGet();
                        }
                    },
                    0,
                    PERIOD_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
        assertLeaseKeeps(least, length);
        callers.shutdown();
        assertThat(callers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.get()).as("refused tries").isEqualTo(tries.get());
        return tries.get();
    }

    private long scriptsWithin(Duration length, Duration least) {
        long before = scripts();
        assertLeaseKeeps(least, length);
        return scripts() - before;
    }

    /** Returns the number of commands of Baton, without subscriptions. */
    private long scripts() {
        Map<String, Long> calls = redis.commandStats();
        return calls.getOrDefault("evalsha", 0L) + calls.getOrDefault("eval", 0L);
    }

    /** Asserts for the given time that the lease keeps a minimum. */
    private void assertLeaseKeeps(Duration least, Duration length) {
        long end = System.nanoTime() + length.toNanos();
        AtomicLong lowest = new AtomicLong(Long.MAX_VALUE);
        await().atMost(length.plusSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    lowest.accumulateAndGet(redis.ttl(KEPT), Math::min);
                    return System.nanoTime() - end > 0;
                });
        assertThat(lowest.get()).as("milliseconds left of the lease").isGreaterThanOrEqualTo(least.toMillis());
    }
}
