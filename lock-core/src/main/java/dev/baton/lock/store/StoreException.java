package dev.baton.lock.store;

import dev.baton.lock.LockNames;
import org.jspecify.annotations.Nullable;

/** A store could not be asked, or refused. The message names the store, what happened and the remedy. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean passing;
    private final boolean unexecuted;

    /**
     * Creates the exception for a command that the store may have carried out, or may carry out later.
     *
     * @param passing whether asking again later may help
     */
    public StoreException(String message, boolean passing, @Nullable Throwable cause) {
        this(message, passing, false, cause);
    }

    /**
     * Creates the exception; control characters of the message are shown as {@link LockNames#printable} does.
     *
     * @param passing whether asking again later may help
     * @param unexecuted whether the store has certainly not carried the command out, and never will
     */
    public StoreException(String message, boolean passing, boolean unexecuted, @Nullable Throwable cause) {
        super(LockNames.printable(message), cause);
        this.passing = passing;
        this.unexecuted = unexecuted;
    }

    /** Whether asking again later may help: it was not reached, or is not ready; otherwise it refused. */
    public boolean isPassing() {
        return passing;
    }

    /**
     * Whether the store has certainly not carried the command out, and never will: it answered that it is not ready, or was
     * never given the command. Whatever the command was to change needs no repair.
     */
    public boolean isUnexecuted() {
        return unexecuted;
    }
}
