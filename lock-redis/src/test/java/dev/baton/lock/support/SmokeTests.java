package dev.baton.lock.support;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestRedis;
import org.junit.jupiter.api.AfterAll;

/** The contract on the redis-server of all other tests. */
class SmokeTests extends SmokeContract {

    private static final TestRedis REDIS = TestRedis.start();

    @AfterAll
    static void end() {
        REDIS.close();
    }

    @Override
    RedisView redis() {
        return REDIS;
    }
}
