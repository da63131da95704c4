package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockContext;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.scenario.ComputeIfAbsentScenarios;
import dev.baton.lock.scenario.Fleet;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fifth seed's cache on a real Redis: also without commands, and while Redis is down. */
@Timeout(60)
class ComputeIfAbsentTests extends ComputeIfAbsentScenarios {

    private RedisFleet redisFleet;

    @Override
    protected Fleet newFleet() {
        redisFleet = new RedisFleet(Backend.LETTUCE);
        return redisFleet;
    }

    @Test
    void valueThatIsThereCostsNoCommand() {
        stored.put("7", "old");
        redisFleet.redis.resetStats();
        assertThat(one.computeIfAbsent(REQUEST, this::lookup, this::compute, this::store))
                .isEqualTo("old");
        assertThat(redisFleet.redis.commandStats()).doesNotContainKeys("evalsha", "eval");
    }

    @Test
    void nothingIsComputedWhileRedisIsDown() {
        redisFleet.redis.stop();
        assertThatThrownBy(() -> one.computeIfAbsent(
                        REQUEST.waitTime(Duration.ofMillis(300)), this::lookup, this::compute, this::store))
                .isInstanceOf(LockStoreException.class);
        assertThat(computed).hasValue(0);
        redisFleet.redis.restart();
    }

    @Test
    void namespaceIsInTheKey() {
        assertThat(one.withNamespace("orders")
                        .computeIfAbsent(
                                REQUEST,
                                this::lookup,
                                () -> LockContext.currentLease().redisKeys().get(0),
                                this::store))
                .isEqualTo("lock:orders:lock:{report.7}");
    }
}
