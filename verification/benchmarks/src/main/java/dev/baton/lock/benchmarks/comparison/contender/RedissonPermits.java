package dev.baton.lock.benchmarks.comparison.contender;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;

/** Permits of Redisson that end on their own if their process dies. Redisson does not renew them. */
final class RedissonPermits implements Contender {

    private static final long LEASE_SECONDS = 30;

    private final Place place;
    private final int size;

    RedissonPermits(Place place, int size) {
        this.place = place;
        this.size = size;
    }

    @Override
    public void prepare(String name) {
        find(name).trySetPermits(size);
    }

    @Override
    public Hold acquire(String name) throws InterruptedException {
        RPermitExpirableSemaphore found = find(name);
        String permit = found.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
        return () -> found.release(permit);
    }

    private RPermitExpirableSemaphore find(String name) {
        return place.redisson().getPermitExpirableSemaphore("redisson-permits:" + name);
    }
}
