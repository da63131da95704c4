package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a loss of all data: of locks that are held, and of tokens after many fast hand-overs. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class LostDataTests extends FaultScene {

    private static final int LOSSES = 4;
    /** Locks whose tokens come from one fence. */
    private static final int LOCKS = 4;
    /** The threads of each process for each lock. */
    private static final int THREADS = 2;

    private static final int GRANTS = 50;
    private static final Duration WAIT = Duration.ofSeconds(20);

    LostDataTests(Backend backend) {
        super(backend);
    }

    /**
     * The processes hand the locks to each other after a millisecond, most often before they have used their reserved
     * tokens.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 32, 1_000})
    void tokensGrowWithAnyCohortLimit(int limit) throws Exception {
        List<Engine> engines = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            engines.add(engine(builder -> builder.cohortLimit(limit).cohortMaxTime(Duration.ofMillis(1))));
        }
        long highest = 0;
        for (int loss = 0; loss < LOSSES; loss++) {
            long first = engines.get(loss % 2).locks().execute(LockRequest.of("first"), Lease::fencingToken);
            assertThat(first).as("the first token after %d losses", loss).isGreaterThan(highest);
            highest = first;
            List<Future<Long>> highestOfEach = new ArrayList<>();
            for (Engine engine : engines) {
                for (int i = 0; i < LOCKS * THREADS; i++) {
                    LockRequest request = LockRequest.of("fast", i % LOCKS).waitTime(WAIT);
                    highestOfEach.add(threads.submit(() -> take(engine, request)));
                }
            }
            for (Future<Long> each : highestOfEach) {
                highest = Math.max(highest, each.get(30, TimeUnit.SECONDS));
            }
            redis.command("FLUSHALL");
        }
    }

    @Test
    void lockIsFreeWhileItsHolderStillWorks() throws Exception {
        Engine holder = engine(builder -> {});
        Engine next = engine(builder -> {});
        LockRequest request = LockRequest.of("held").expire(WAIT);
        Lease lease = holder.locks().acquire(request);
        assertThat(next.locks().tryAcquire(request)).isEmpty();
        redis.command("FLUSHALL");
        Lease second = next.locks().tryAcquire(request).orElseThrow();
        assertThat(lease.isHeld()).as("by the clock of its process").isTrue();
        assertThat(second.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(lease.release()).isFalse();
        assertThat(second.release()).isTrue();
    }

    /** Acquires the lock repeatedly. Returns the last token. */
    private static long take(Engine engine, LockRequest request) {
        long last = 0;
        for (int grant = 0; grant < GRANTS; grant++) {
            long token = engine.locks().execute(request, Lease::fencingToken);
            assertThat(token).as("grant %d", grant).isGreaterThan(last);
            last = token;
        }
        return last;
    }
}
