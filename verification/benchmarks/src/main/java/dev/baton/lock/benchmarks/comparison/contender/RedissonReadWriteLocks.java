package dev.baton.lock.benchmarks.comparison.contender;

import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;

/**
 * Read-write locks of Redisson, renewed by its watchdog as they are unless told otherwise. Redisson has no fair ones: a reader
 * passes a writer that waits.
 */
final class RedissonReadWriteLocks implements Contender {

    private final Place place;

    RedissonReadWriteLocks(Place place) {
        this.place = place;
    }

    @Override
    public Hold acquire(String name) {
        return locked(find(name).writeLock());
    }

    @Override
    public Hold acquireShared(String name) {
        return locked(find(name).readLock());
    }

    private RReadWriteLock find(String name) {
        return place.redisson().getReadWriteLock("redisson-rw:" + name);
    }

    private static Hold locked(RLock lock) {
        lock.lock();
        return lock::unlock;
    }
}
