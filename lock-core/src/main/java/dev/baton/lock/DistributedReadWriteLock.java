package dev.baton.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A distributed lock for code that uses {@link ReadWriteLock}: several readers, or one writer. Created by
 * {@link LockOperations#readWrite(LockRequest)}; two of the same name are the same lock. Thread-safe.
 *
 * <ul>
 *   <li>Readers and writers are served in the order in which they came. No reader passes a writer that waits.
 *   <li>A thread may acquire each of the two locks again.
 *   <li>A writer may acquire the read lock. If it then unlocks the write lock, it becomes a reader in one step: no other
 *       writer is granted the lock in between.
 *   <li>A reader that acquires the write lock fails at once with {@link LockDeadlockException}: two such readers would wait
 *       for each other.
 * </ul>
 *
 * <p>Both locks behave as {@link DistributedMutex} says. Only the write lock has conditions.
 */
public final class DistributedReadWriteLock implements ReadWriteLock {

    private final DistributedMutex read;
    private final DistributedMutex write;

    /**
     * Creates the lock.
     *
     * @throws IllegalArgumentException if the request names an owner
     */
    DistributedReadWriteLock(LockOperations operations, LockRequest request) {
        this.read = new DistributedMutex(operations, request.mode(LockMode.SHARED));
        this.write = new DistributedMutex(operations, request.mode(LockMode.EXCLUSIVE));
    }

    /** Returns the lock of readers, which share it with each other. */
    @Override
    public DistributedMutex readLock() {
        return read;
    }

    /** Returns the lock of writers, each of which has it alone. */
    @Override
    public DistributedMutex writeLock() {
        return write;
    }

    @Override
    public String toString() {
        return "DistributedReadWriteLock[" + write + "]";
    }
}
