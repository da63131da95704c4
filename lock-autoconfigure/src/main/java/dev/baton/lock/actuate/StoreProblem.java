package dev.baton.lock.actuate;

import dev.baton.lock.LockStoreException;
import dev.baton.lock.store.StoreException;

/** Why the store could not be asked, in words for people. */
public final class StoreProblem {

    private StoreProblem() {}

    /** Without the name that was asked for, which may not be for everybody's eyes. */
    public static String of(LockStoreException ex) {
        return ex.getCause() instanceof StoreException cause
                ? String.valueOf(cause.getMessage())
                : "the store has not answered in time, or the application is stopping";
    }
}
