package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.ReentryScenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Owners on a real Redis: the commands and the keys that re-entry and namespaces need. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#all")
class ReentryTests extends ReentryScenarios {

    private final Backend backend;
    private RedisFleet redisFleet;

    ReentryTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        redisFleet = new RedisFleet(backend);
        return redisFleet;
    }

    @Test
    void reentryCostsNoCommand() {
        Lease outer = template.acquire(LockRequest.of("x"));
        redisFleet.redis.resetStats();
        Lease inner = template.acquire(LockRequest.of("x"));
        assertThat(outer.release()).isTrue();
        assertThat(inner.isHeld()).isTrue();
        assertThat(redisFleet.redis.commandStats()).doesNotContainKey("evalsha");
        inner.close();
    }

    @Test
    void nestedNamespacesAreInTheKey() {
        try (Lease lease = template.withNamespace("orders").withNamespace("eu").acquire(LockRequest.of("x"))) {
            assertThat(lease.redisKeys()).containsExactly("lock:orders:eu:lock:{x.global}");
            assertThat(redisFleet.redis.keys()).contains("lock:orders:eu:lock:{x.global}");
        }
    }
}
