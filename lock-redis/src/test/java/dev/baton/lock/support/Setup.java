package dev.baton.lock.support;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How a process waits, what changes its locks, and over which client. */
record Setup(WaitStrategy strategy, LockHandler handler, Client client, int database) {

    static final Duration INTERVAL = Duration.ofMillis(20);

    /** Every strategy and handler over each client, but the usual one. */
    static List<Setup> others() {
        List<Setup> setups = new ArrayList<>();
        for (Client client : Client.values()) {
            int database = client == Client.LETTUCE ? 0 : 1;
            for (WaitStrategy strategy : WaitStrategy.values()) {
                for (LockHandler handler : List.of(LockHandler.SCRIPT, LockHandler.TRANSACTION)) {
                    if (strategy != WaitStrategy.GRANT || handler != LockHandler.SCRIPT) {
                        setups.add(new Setup(strategy, handler, client, database));
                    }
                }
            }
        }
        return setups;
    }

    /** Some of {@link #others()}: every strategy, and every handler over each client. */
    static List<Setup> someOthers() {
        return List.of(
                new Setup(WaitStrategy.GRANT, LockHandler.TRANSACTION, Client.LETTUCE, 0),
                new Setup(WaitStrategy.GRANT, LockHandler.TRANSACTION, Client.JEDIS, 1),
                new Setup(WaitStrategy.KEYSPACE, LockHandler.SCRIPT, Client.JEDIS, 1),
                new Setup(WaitStrategy.KEYSPACE, LockHandler.TRANSACTION, Client.LETTUCE, 0),
                new Setup(WaitStrategy.POLLING, LockHandler.SCRIPT, Client.LETTUCE, 0),
                new Setup(WaitStrategy.POLLING, LockHandler.TRANSACTION, Client.JEDIS, 1));
    }

    Backend backend() {
        return new Backend(client, database);
    }

    void configure(RedisLockStore.Builder store) {
        store.waitStrategy(strategy).handler(handler).pollingInterval(INTERVAL);
    }

    Processes on(TestRedis redis) {
        return new Processes(() -> backend().connect(redis.host(), redis.port()), this::configure);
    }

    @Override
    public String toString() {
        return (strategy + "/" + handler + "/" + client + "/" + database).toLowerCase(Locale.ROOT);
    }
}
