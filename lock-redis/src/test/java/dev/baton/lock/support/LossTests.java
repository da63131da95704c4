package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.LossScenarios;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that ends before its holder is done, on a real Redis, also on one that hangs. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class LossTests extends LossScenarios {

    private static final Logger log = LoggerFactory.getLogger(LossTests.class);

    private static final LockRequest X = LockRequest.of("x");
    private static final Duration LENGTH = Duration.ofSeconds(2);

    private final Backend backend;
    private RedisFleet started;
    private TestRedis redis;

    LossTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        started = new RedisFleet(backend);
        redis = started.redis;
        return started;
    }

    @Test
    void keyOfTheNextHolderOutlivesTheCloseOfALostLease() {
        Lease lease = fleet.start().acquire(X.expire(Duration.ofSeconds(1)));
        Lease next = fleet.start().acquire(X.expire(Duration.ofSeconds(30)));
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        assertThat(String.valueOf(redis.command("GET", "lock:lock:{x.global}")))
                .contains(" " + next.fencingToken() + " ");
        next.close();
    }

    /** Tried again where the machine was too busy to run a thread in time; without the time to tell it never is in time. */
    @Test
    void hungRedisIsALossOfWhichTheHolderIsToldBeforeTheLeaseEnds() throws Exception {
        Processes.Started process =
                started.processes.startDeaf(builder -> builder.expire(LENGTH).commandTimeout(Duration.ofMillis(500)));
        boolean inTime = false;
        for (int i = 0; i < 5 && !inTime; i++) {
            inTime = isToldInTime(process);
        }
        assertThat(inTime).as("told before the lease can end in Redis").isTrue();
        // what was owed is delivered
        await().atMost(Duration.ofSeconds(8)).until(() -> EngineCounters.openRequests(process.template()) == 0);
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    private boolean isToldInTime(Processes.Started process) throws Exception {
        Lease lease = process.template().acquire(X);
        CompletableFuture<Long> told = new CompletableFuture<>();
        lease.onLost(() -> told.complete(System.nanoTime()));
        redis.pause();
        try {
            Duration left = Duration.ofNanos(process.answers().earliestEnd(LENGTH) - told.get(5, TimeUnit.SECONDS));
            log.info("Told {} ms before the lease can end", left.toMillis());
            assertThat(lease.isHeld()).isFalse();
            assertThat(left).isLessThan(Duration.ofMillis(200));
            return left.toNanos() > 0;
        } finally {
            redis.resume();
        }
    }
}
