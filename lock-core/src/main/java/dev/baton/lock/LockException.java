package dev.baton.lock;

import org.jspecify.annotations.Nullable;

/** Root of what a lock can throw. Unchecked; the children say which state it was. */
public abstract class LockException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String name;

    /** Creates the exception; control characters of the message are shown as {@link LockNames#printable} does. */
    protected LockException(String name, String message, @Nullable Throwable cause) {
        super(LockNames.printable(message), cause);
        this.name = name;
    }

    /** The name of the lock, {@code scope.key}. */
    public String getName() {
        return name;
    }
}
