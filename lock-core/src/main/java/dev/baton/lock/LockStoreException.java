package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/** The store of the locks could not be asked, or refused: nothing is known of the lock. */
public class LockStoreException extends LockException {

    private static final long serialVersionUID = 1L;

    public LockStoreException(String name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }
}
