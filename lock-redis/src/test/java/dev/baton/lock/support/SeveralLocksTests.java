package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.SeveralLocksScenarios;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several locks in one request on a real Redis, and the commands that they take. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SeveralLocksTests extends SeveralLocksScenarios {

    private final Backend backend;
    private TestRedis redis;

    SeveralLocksTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        RedisFleet onRedis = new RedisFleet(backend);
        redis = onRedis.redis;
        return onRedis;
    }

    @Test
    void bothAreGrantedWithOneTokenForTwoCommands() {
        one.execute(BOTH, lease -> 1);
        redis.resetStats();
        try (Lease lease = one.acquire(B.and(A))) {
            assertThat(lease.redisKeys()).containsExactly("lock:lock:k.{t}a", "lock:lock:k.{t}b");
            assertThat(redis.keys()).containsAll(lease.redisKeys());
            assertThat(String.valueOf(redis.command("GET", "lock:lock:k.{t}b")))
                    .contains(" " + lease.fencingToken() + " ");
        }
        PipelinedMode.assertReleased(() ->
                assertThat(redis.commandStats()).containsEntry("evalsha", 2L).doesNotContainKey("publish"));
    }

    @Test
    void reentriesSendNoCommand() {
        Lease both = one.acquire(BOTH);
        redis.resetStats();
        List<Lease> again = List.of(one.acquire(A), one.acquire(B), one.acquire(BOTH));
        assertThat(redis.commandStats()).doesNotContainKey("evalsha");
        again.forEach(Lease::close);
        both.close();
    }
}
