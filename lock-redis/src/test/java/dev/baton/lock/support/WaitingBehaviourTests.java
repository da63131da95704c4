package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.WaitingScenarios;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways to wait on a real Redis, and what Redis keeps of a waiter. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class WaitingBehaviourTests extends WaitingScenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "x.global";
    private static final String QUEUE = "lock:queue:{x.global}";
    private static final String WAIT = "lock:wait:{x.global}";

    private final Backend backend;

    WaitingBehaviourTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }

    @Test
    void processIsAliveForFourOfItsOwnRechecks() throws Exception {
        try (Lease lease = one.acquire(X)) {
            Future<Lease> calm = fleet.begin(() -> other.acquire(X.recheck(Duration.ofSeconds(60))));
            fleet.awaitWaiting(LOCK, 1);
            Future<Lease> impatient = fleet.begin(() -> one.acquire(X.recheck(Duration.ofMillis(100))));
            fleet.awaitWaiting(LOCK, 2);
            // several rechecks of the impatient one
            fleet.pass(Duration.ofMillis(500));
            List<Long> alive = aliveForMillis();
            assertThat(alive).hasSize(2);
            assertThat(alive.get(0)).as("the calm one").isBetween(230_000L, 240_000L);
            assertThat(alive.get(1)).as("the impatient one").isLessThanOrEqualTo(400L);
            assertThat(lease.release()).isTrue();
            fleet.get(calm).release();
            fleet.get(impatient).release();
        }
        fleet.assertNothingLeft();
    }

    /** By place in the queue, for how long Redis still believes the waiter to be alive. */
    private List<Long> aliveForMillis() {
        TestRedis redis = ((RedisFleet) fleet).redis;
        List<String> records = ((List<?>) redis.command("ZRANGE", QUEUE, "0", "-1"))
                .stream()
                        .map(record -> String.valueOf(record).split(" ")[2].replaceFirst("[^:]*$", ""))
                        .map(process -> String.valueOf(redis.command("HGET", WAIT, process)))
                        .toList();
        // after the records: whatever lies between makes them older, not younger
        List<?> time = (List<?>) redis.command("TIME");
        long now =
                Long.parseLong(String.valueOf(time.get(0))) * 1000 + Long.parseLong(String.valueOf(time.get(1))) / 1000;
        return records.stream()
                .map(process -> process.split(" ")[0])
                .map(alive -> Long.parseLong(alive) / 1000 - now)
                .toList();
    }
}
