package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/** Base class of all exceptions about a lock. Unchecked; each subclass describes one kind of failure. */
public abstract class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String name;

    /** Creates the exception; control characters of the message are escaped as in {@link LockNames#printable}. */
    protected LockException(String name, String message, @Nullable Throwable cause) {
        super(LockNames.printable(message), cause);
        this.name = name;
    }

    /** Returns the name of the lock, {@code scope.key}. */
    public String name() {
        return name;
    }
}
