package dev.baton.lock.benchmarks.comparison.contender;

import java.util.function.Consumer;
import java.util.function.Function;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;

/**
 * Locks of Redisson, renewed by its watchdog as it does unless told otherwise.
 *
 * @param <L> the kind of lock
 */
final class RedissonLocks<L extends RLock> implements Contender {

    private final Function<String, L> find;
    private final Consumer<L> lock;

    private RedissonLocks(Function<String, L> find, Consumer<L> lock) {
        this.find = find;
        this.lock = lock;
    }

    static Contender plain(Place place) {
        return new RedissonLocks<>(name -> place.redisson().getLock("redisson:" + name), RLock::lock);
    }

    static Contender fair(Place place) {
        return new RedissonLocks<>(name -> place.redisson().getFairLock("redisson-fair:" + name), RLock::lock);
    }

    static Contender fenced(Place place) {
        return new RedissonLocks<>(
                name -> place.redisson().getFencedLock("redisson-fenced:" + name), RFencedLock::lockAndGetToken);
    }

    @Override
    public Hold acquire(String name) {
        L found = find.apply(name);
        lock.accept(found);
        return found::unlock;
    }
}
