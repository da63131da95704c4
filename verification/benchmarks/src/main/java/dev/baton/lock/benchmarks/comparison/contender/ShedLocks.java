package dev.baton.lock.benchmarks.comparison.contender;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

/** Locks of ShedLock, which does not wait. */
final class ShedLocks implements Contender {

    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private final LockProvider locks;

    ShedLocks(Place place) {
        this.locks = new RedisLockProvider.Builder(place.lettuce()).build();
    }

    @Override
    public Hold acquire(String name) {
        SimpleLock lock = locks.lock(new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO))
                .orElseThrow(() -> new IllegalStateException("ShedLock did not get " + name));
        return lock::unlock;
    }
}
