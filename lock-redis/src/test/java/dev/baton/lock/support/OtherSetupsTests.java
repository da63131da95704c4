package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.LockScenarios;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What a lock does on a real Redis, however its processes wait and whatever changes its state. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Setup#others")
@Tag("nightly")
class OtherSetupsTests extends LockScenarios {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x");

    private final Setup setup;
    private TestRedis redis;

    OtherSetupsTests(Setup setup) {
        this.setup = setup;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(setup);
    }

    @BeforeEach
    void look() {
        redis = ((RedisFleet) fleet).redis;
    }

    @Test
    void heldLockIsOneKeyWithItsLease() {
        try (Lease lease = one.acquire(X)) {
            assertThat(redis.lastingKeys()).containsExactly("lock:fence", LOCK);
            assertThat(lease.renew(Duration.ofSeconds(60))).isTrue();
            assertThat(redis.ttl(LOCK)).isGreaterThan(50_000);
        }
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void waitEndsWithItsTimeAlthoughRedisHangs() throws Exception {
        try (Lease lease = one.acquire(X.expire(Duration.ofSeconds(30)))) {
            Future<Duration> waited = fleet.begin(() -> {
                long from = System.nanoTime();
                assertThatThrownBy(() -> other.acquire(X.waitTime(Duration.ofMillis(700))))
                        .isInstanceOf(RuntimeException.class);
                return Duration.ofNanos(System.nanoTime() - from);
            });
            await().until(() -> other.engine().awaitedNames() == 1);
            redis.pause();
            assertThat(fleet.get(waited)).isBetween(Duration.ofMillis(690), Duration.ofMillis(1_500));
            redis.resume();
            assertThat(lease.isHeld()).isTrue();
        }
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(redis.keys())
                        .allMatch(key -> key.equals("lock:fence") || key.startsWith("lock:over:")));
    }

    @Test
    void restartedRedisIsUsedAgain() {
        one.execute(X, lease -> 1);
        redis.restart();
        await().atMost(Duration.ofSeconds(15)).ignoreExceptions().until(() -> one.execute(X, Lease::isHeld));
    }
}
