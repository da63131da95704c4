package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store of the locks could not be asked, or refused the command: the state of the lock is unknown.
 *
 * <p>A silent store causes this exception only if it has not answered for 100 ms, or for the command time-out if that
 * is less. A wait that ends sooner ends with a {@link LockTimeoutException}.
 */
public class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockStoreException(String name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }
}
