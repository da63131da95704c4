package dev.baton.lock.store;

import java.util.List;

/**
 * Some of the held locks. The page may be empty, and may repeat locks of other pages.
 *
 * @param names the names of the locks
 * @param cursor the place to continue from, or {@link ScanCommand#START} if there are no more locks
 */
public record ScanPage(List<LockName> names, String cursor) {

    public boolean isLast() {
        return cursor.equals(ScanCommand.START);
    }
}
