package dev.baton.lock.test;

import dev.baton.lock.store.LockName;
import dev.baton.lock.store.LockStore;
import java.time.Duration;

/**
 * The place where the stores of several processes keep the same locks, for {@link LockStoreContract}. A host also lets time
 * pass and makes stores deaf. A test uses its host from one thread.
 */
public interface StoreHost extends AutoCloseable {

    /** Returns a store of another process, which is not started yet. */
    LockStore newStore();

    /** Returns a store, not started yet, whose process receives no messages. */
    LockStore newDeafStore();

    /**
     * Starts the store of a process, and returns when the store listens, or is known to be deaf.
     *
     * @param instance the instance of the process, unique on this host
     * @param hears whether the process receives messages
     */
    default StoreProcess start(String instance, boolean hears) {
        StoreProcess process = new StoreProcess(hears ? newStore() : newDeafStore(), instance);
        awaitStart(process, hears);
        return process;
    }

    /** Returns when the started store of the process listens, or is known to be deaf. */
    void awaitStart(StoreProcess process, boolean hears);

    /** Lets at least this time pass by the clock of the host. */
    void pass(Duration duration);

    /**
     * As {@link #pass}, but at once: all that is stored becomes older by exactly this time. Times that differ by seconds
     * then compare the same on every host, whatever the speed of the machine.
     */
    default void age(Duration duration) {
        pass(duration);
    }

    /** Lets some microseconds pass between two commands, if time does not pass by itself. */
    default void tick() {}

    /** Ends the lease of the holder of this lock. */
    void expire(LockName name);

    /** Returns when the process has received every message that was sent before. */
    void settle(StoreProcess process);

    /** Removes all locks and waiters. */
    void clear();

    @Override
    void close();
}
