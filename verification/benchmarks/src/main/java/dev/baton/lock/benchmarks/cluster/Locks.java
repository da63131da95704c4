package dev.baton.lock.benchmarks.cluster;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitTime;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Locks as one process sees them. May be used by any thread. */
interface Locks extends AutoCloseable {

    /** Takes a lock, runs the task, and gives the lock back. */
    void with(String name, Runnable task);

    @Override
    void close();

    /** Returns Baton's locks. One server is used alone, several are a cluster. */
    static Locks baton(List<? extends RedisView> servers) {
        LettuceConnectionFactory factory = servers.size() == 1
                ? new LettuceConnectionFactory(new RedisStandaloneConfiguration(
                        servers.get(0).host(), servers.get(0).port()))
                : new LettuceConnectionFactory(new RedisClusterConfiguration(servers.stream()
                        .map(server -> server.host() + ":" + server.port())
                        .toList()));
        factory.afterPropertiesSet();
        factory.start();
        LockTemplate locks = LockTemplate.builder(
                        RedisLockStore.builder(factory).namespace("baton").build())
                .waitTime(WaitTime.of(Duration.ofMinutes(2)))
                // each hand-over goes by way of Redis
                .cohortLimit(0)
                .build();
        while (!locks.isListening()) {
            LockSupport.parkNanos(1_000_000);
        }
        return new Locks() {

            @Override
            public void with(String name, Runnable task) {
                locks.execute(LockRequest.of("bench", name), lease -> {
                    task.run();
                    return name;
                });
            }

            @Override
            public void close() {
                locks.close();
                factory.destroy();
            }
        };
    }

    /** Returns Redisson's locks. One server is used alone, several are a cluster. */
    static Locks redisson(List<? extends RedisView> servers) {
        Config config = new Config();
        String[] addresses = servers.stream()
                .map(server -> "redis://" + server.host() + ":" + server.port())
                .toArray(String[]::new);
        if (addresses.length == 1) {
            config.useSingleServer().setAddress(addresses[0]);
        } else {
            config.useClusterServers().addNodeAddress(addresses);
        }
        RedissonClient client = Redisson.create(config);
        return new Locks() {

            @Override
            public void with(String name, Runnable task) {
                RLock lock = client.getLock("redisson:" + name);
                lock.lock();
                try {
                    task.run();
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }
}
