package dev.baton.lock.store;

import dev.baton.lock.LockNames;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store could not be asked, or refused a command. The message names the store, the problem and the remedy.
 */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean passing;
    private final boolean unexecuted;

    /**
     * Creates the exception for a command that the store may have carried out, or may carry out later.
     *
     * @param passing whether another attempt may succeed later
     */
    public StoreException(String message, boolean passing, @Nullable Throwable cause) {
        this(message, passing, false, cause);
    }

    /**
     * Creates the exception. Control characters of the message are shown as {@link LockNames#printable} shows them.
     *
     * @param passing whether another attempt may succeed later
     * @param unexecuted whether the store has certainly not carried out the command, and never will
     */
    public StoreException(String message, boolean passing, boolean unexecuted, @Nullable Throwable cause) {
        super(LockNames.printable(message), cause);
        this.passing = passing;
        this.unexecuted = unexecuted;
    }

    /**
     * Returns whether another attempt may succeed later: the store was not reached, or is not ready. Otherwise, the
     * store refused the command.
     */
    public boolean isPassing() {
        return passing;
    }

    /**
     * Returns whether the store has certainly not carried out the command, and never will: the store answered that it
     * is not ready, or was never given the command. The state that the command was to change then needs no repair.
     */
    public boolean isUnexecuted() {
        return unexecuted;
    }
}
