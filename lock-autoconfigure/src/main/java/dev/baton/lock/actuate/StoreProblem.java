package dev.baton.lock.actuate;

import dev.baton.lock.LockStoreException;
import dev.baton.lock.store.StoreException;

/** Describes to users why the store could not be asked. */
public final class StoreProblem {

    private StoreProblem() {}

    /** Returns a description without the requested name, because not every user may see the name. */
    public static String of(LockStoreException ex) {
        return ex.getCause() instanceof StoreException cause
                ? String.valueOf(cause.getMessage())
                : "the store has not answered in time, or the application is stopping";
    }
}
