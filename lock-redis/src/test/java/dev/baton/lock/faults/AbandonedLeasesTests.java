package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests that expired leases, whose number is the system property {@code test.faults.leases}, leave no memory, timer or
 * key behind.
 */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class AbandonedLeasesTests extends FaultScene {

    private static final Logger log = LoggerFactory.getLogger(AbandonedLeasesTests.class);

    private static final int LEASES = Integer.getInteger("test.faults.leases", 2_000);
    /** The number of leases acquired at once. */
    private static final int BATCH = 200;

    private static final Duration LEASE = Duration.ofSeconds(4);
    /** Memory kept per lease exceeds this bound: an object and the reference to it take at least 100 bytes. */
    private static final long NOISE = 4L << 20;

    /** The logger that warns of each expired lease. */
    private final ch.qos.logback.classic.Logger acquisitionLog =
            (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("dev.baton.lock.engine.ticket.Acquisition");

    AbandonedLeasesTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void turnWarningsOff() {
        acquisitionLog.setLevel(Level.ERROR);
    }

    @AfterEach
    void restoreLogLevel() {
        acquisitionLog.setLevel(null);
    }

    @Test
    void expiredLeasesLeaveNothingInTheProcessAndInRedis() {
        Engine engine = engine(builder -> builder.expire(LEASE));
        take(engine, BATCH, 0);
        awaitEnd(engine, List.of());
        int timers = EngineCounters.timers(engine.locks());
        long heap = usedHeap();

        List<WeakReference<Lease>> some = new ArrayList<>();
        for (int taken = 0; taken < LEASES; taken += BATCH) {
            some.addAll(take(engine, BATCH, taken));
        }
        awaitEnd(engine, some);
        // a timer that fires at this moment counts until its task has run
        await().untilAsserted(() ->
                assertThat(EngineCounters.timers(engine.locks())).as("timers").isLessThanOrEqualTo(timers));
        long growth = usedHeap() - heap;
        log.info("{} leases left {} bytes", LEASES, growth);
        assertThat(growth).as("bytes of heap").isLessThan(NOISE);
    }

    /** Acquires leases. Returns references to a few of them. */
    private static List<WeakReference<Lease>> take(Engine engine, int number, int from) {
        List<CompletionStage<Lease>> taken = new ArrayList<>();
        for (int i = from; i < from + number; i++) {
            LockRequest request =
                    LockRequest.of("left", i).expire(LEASE).renew(Renewal.NEVER).waitTime(Duration.ofSeconds(20));
            taken.add(engine.locks().acquireAsync(request));
        }
        taken.forEach(each -> each.toCompletableFuture().join());
        List<WeakReference<Lease>> some = new ArrayList<>();
        for (int i = 0; i < number; i += BATCH / 4) {
            some.add(new WeakReference<>(taken.get(i).toCompletableFuture().join()));
        }
        return some;
    }

    private void awaitEnd(Engine engine, List<WeakReference<Lease>> leases) {
        assertNothingIsLeft(LEASE.plus(Duration.ofSeconds(10)), engine);
        await().untilAsserted(() -> {
            System.gc();
            assertThat(leases).as("leases that can be reached").allMatch(lease -> lease.get() == null);
        });
    }
}
