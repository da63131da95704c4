package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.time.Duration;

/** Where the stores of some processes keep the same locks, and whose time and faults a test has in its hand. */
interface StoreHost extends AutoCloseable {

    /** A store that was not started yet. */
    LockStore newStore();

    /** One whose process will not be told anything. */
    LockStore newDeafStore();

    /** A process whose store was started and hears, or is deaf for good. */
    default StoreProcess start(String instance, boolean hears) {
        StoreProcess process = new StoreProcess(hears ? newStore() : newDeafStore(), instance);
        makeSureThat(process, hears);
        return process;
    }

    void makeSureThat(StoreProcess process, boolean hears);

    /** Lets that much time go by where the locks are. */
    void pass(Duration duration);

    /** Some time passes between two commands, as it does in any case where time is real. */
    default void tick() {}

    /** The lease of whoever holds the lock is over. */
    void expire(LockName name);

    /** Returns when the process has been told all there was to tell. */
    void settle(StoreProcess process);

    void clear();

    @Override
    void close();
}
