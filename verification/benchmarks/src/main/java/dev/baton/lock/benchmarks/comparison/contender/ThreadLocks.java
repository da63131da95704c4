package dev.baton.lock.benchmarks.comparison.contender;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The JVM's own lock, first come first served, without Redis: as fast as threads wake each other. Waits with a bound, as the others
 * do.
 */
final class ThreadLocks implements Contender {

    private static final long PATIENCE_SECONDS = 60;

    private final ConcurrentHashMap<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public Hold acquire(String name) throws InterruptedException {
        ReentrantLock lock = locks.computeIfAbsent(name, same -> new ReentrantLock(true));
        if (!lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " was not free for " + PATIENCE_SECONDS + " s");
        }
        return lock::unlock;
    }
}
