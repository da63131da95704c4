package dev.baton.lock.store;

import org.jspecify.annotations.Nullable;

/** A store could not be asked, or refused. The message names the store, what happened and the remedy. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean passing;

    /**
     * Creates the exception.
     *
     * @param passing whether asking again later may help
     */
    public StoreException(String message, boolean passing, @Nullable Throwable cause) {
        super(message, cause);
        this.passing = passing;
    }

    /** Whether asking again later may help: it was not reached, or is not ready; otherwise it refused. */
    public boolean isPassing() {
        return passing;
    }
}
