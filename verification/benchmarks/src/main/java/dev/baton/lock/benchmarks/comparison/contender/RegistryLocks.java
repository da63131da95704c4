package dev.baton.lock.benchmarks.comparison.contender;

import java.util.Locale;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Locks of Spring Integration. */
final class RegistryLocks implements Contender {

    private final RedisLockRegistry registry;

    RegistryLocks(Place place, RedisLockType type) {
        registry = new RedisLockRegistry(place.lettuce(), type.name().toLowerCase(Locale.ROOT));
        registry.setRedisLockType(type);
    }

    @Override
    public Hold acquire(String name) {
        Lock lock = registry.obtain(name);
        lock.lock();
        return lock::unlock;
    }

    @Override
    public void close() {
        registry.destroy();
    }
}
