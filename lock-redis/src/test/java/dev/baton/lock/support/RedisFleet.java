package dev.baton.lock.support;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestRedis;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Processes on a real Redis of their own, over one client and in one database. Every process is a Redis user with the listed
 * rights, and at the end it has used and tried no others; in another {@link Setup} it has all rights.
 */
final class RedisFleet extends ServerFleet {

    final TestRedis redis;
    final Backend backend;
    private final @Nullable CommandWatch watch;

    RedisFleet(Backend backend) {
        this(backend, backend.startRedis());
    }

    private RedisFleet(Backend backend, TestRedis redis) {
        super(new Processes(redis, backend), WaitStrategy.GRANT);
        this.backend = backend;
        this.redis = redis;
        this.watch = CommandWatch.over(redis);
    }

    RedisFleet(Setup setup) {
        this(setup, setup.backend().startOpenRedis());
    }

    private RedisFleet(Setup setup, TestRedis redis) {
        super(setup.on(redis), setup.strategy());
        this.backend = setup.backend();
        this.redis = redis;
        this.watch = null;
    }

    @Override
    Set<String> lastingKeys() {
        return redis.lastingKeys();
    }

    @Override
    RedisView serverOf(String key) {
        return redis;
    }

    @Override
    public void close() throws Exception {
        try (TestRedis ending = redis) {
            closeProcesses();
            if (watch != null) {
                watch.endAndAssertOnlyListedRights();
            }
        }
    }
}
