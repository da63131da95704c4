package dev.baton.lock;

/**
 * How many permits a request takes, and how many there are: the semaphore of the lock's name. A lock and a semaphore of
 * the same name are independent. Immutable.
 *
 * @param size how many permits may be in use at a time, positive. If processes state different sizes, the smallest of them
 *     counts as long as a process states it
 * @param count how many of them the request takes, positive, and at most {@code size}
 */
public record LockPermits(int size, int count) {

    /**
     * Checks both numbers.
     *
     * @throws IllegalArgumentException if a number is not positive, or the request takes more than there are
     */
    public LockPermits {
        if (size < 1) {
            throw new IllegalArgumentException("permits " + size + " is not positive; say how many holders there may be"
                    + " at a time, or leave permits out for a lock");
        }
        if (count < 1) {
            throw new IllegalArgumentException(
                    "a request for " + count + " permits takes nothing; request at least one permit");
        }
        if (count > size) {
            throw new IllegalArgumentException("a request for " + count + " permits of " + size
                    + " can never be granted; request fewer permits, or raise the size");
        }
    }

    /** Returns one permit of so many. */
    public static LockPermits of(int size) {
        return new LockPermits(size, 1);
    }

    @Override
    public String toString() {
        return count + " of " + size;
    }
}
