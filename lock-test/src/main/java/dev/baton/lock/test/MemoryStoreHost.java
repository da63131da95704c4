package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Keeps locks in memory, by a clock that stands still by itself. */
final class MemoryStoreHost implements StoreHost {

    final TestClock clock = TestClock.standing();
    private final InMemoryLockStore first = new InMemoryLockStore(clock);

    @Override
    public LockStore newStore() {
        return first.newProcess();
    }

    @Override
    public LockStore newDeafStore() {
        return first.newProcess();
    }

    @Override
    public void awaitStart(StoreProcess process, boolean hears) {
        ((InMemoryLockStore) process.store).setListening(hears);
        clock.settle();
    }

    @Override
    public void pass(Duration duration) {
        clock.advance(duration);
    }

    @Override
    public void tick() {
        clock.advance(Duration.of(20, ChronoUnit.MICROS));
    }

    @Override
    public void expire(LockName name) {
        first.expire(name);
    }

    @Override
    public void settle(StoreProcess process) {
        clock.settle();
    }

    @Override
    public void clear() {
        first.clear();
    }

    @Override
    public void close() {
        // nothing is left
    }

    @Override
    public String toString() {
        return "memory";
    }
}
