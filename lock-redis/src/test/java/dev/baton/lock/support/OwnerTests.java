package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.OwnerScenarios;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Owners that a request names, on a real Redis: the commands that they need, and the keys. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class OwnerTests extends OwnerScenarios {

    private static final String KEY = "lock:lock:{" + ADDRESS + "}";

    private final Backend backend;
    private RedisFleet redisFleet;

    OwnerTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        redisFleet = new RedisFleet(backend);
        return redisFleet;
    }

    @Test
    void renewalByAnyThreadExtendsTheKey() throws Exception {
        Lease connection =
                template.tryAcquire(CONN_17.expire(Duration.ofSeconds(20))).orElseThrow();
        redisFleet.redis.command("PEXPIRE", KEY, "15000");
        assertThat(fleet.call(() -> connection.renew())).isTrue();
        assertThat(redisFleet.redis.ttl(KEY)).isGreaterThan(18_000);
    }

    @Test
    void entryOfAnOwnerCostsNoCommand() throws Exception {
        Lease outer = template.acquire(CONN_17);
        redisFleet.redis.resetStats();
        Lease inner = fleet.call(() -> template.acquire(CONN_17));
        assertThat(outer.release()).isTrue();
        assertThat(inner.isHeld()).isTrue();
        assertThat(redisFleet.redis.commandStats()).doesNotContainKeys("evalsha", "eval");
        inner.close();
    }
}
