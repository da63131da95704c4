package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;

/** Permits of Baton as shipped, renewed while they are held. */
final class BatonPermits implements Contender {

    private final LockTemplate locks;
    private final int size;

    BatonPermits(Place place, int size) {
        this.locks = BatonLocks.with("permits").start(place);
        this.size = size;
    }

    @Override
    public Hold acquire(String name) {
        Lease lease = locks.semaphore(LockRequest.of("bench", name), size).acquire();
        return lease::release;
    }

    @Override
    public void close() {
        locks.close();
    }
}
