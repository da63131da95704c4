package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.VerifyScenarios;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Asking a real Redis whether a lease is still ours, also one that hangs. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class VerifyTests extends VerifyScenarios {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));

    private final Backend backend;
    private TestRedis redis;

    VerifyTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        RedisFleet started = new RedisFleet(backend);
        redis = started.redis;
        return started;
    }

    @AfterEach
    void resume() {
        redis.resume();
    }

    @Test
    void keyOfAHeldLeaseIsNotExtended() {
        Lease lease = template.acquire(X);
        redis.command("PEXPIRE", LOCK, "5000");
        lease.verify();
        assertThat(lease.verifyAsync().toCompletableFuture()).succeedsWithin(5, TimeUnit.SECONDS);
        assertThat(redis.ttl(LOCK)).isLessThanOrEqualTo(5000);
        assertThat(lease.release()).isTrue();
    }

    @Test
    void ourOwnClockDecidesIfRedisDoesNotAnswer() {
        LockTemplate hasty = fleet.start(builder -> builder.commandTimeout(Duration.ofMillis(300)));
        Lease lease = hasty.acquire(X);
        Lease ending = hasty.acquire(LockRequest.of("y").expire(Duration.ofMillis(500)));
        redis.pause();
        assertThatCode(lease::verify).doesNotThrowAnyException();
        fleet.until(Duration.ofSeconds(10), ending::isExpired);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(ending::verify);
    }
}
