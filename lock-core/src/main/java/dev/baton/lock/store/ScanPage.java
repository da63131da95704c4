package dev.baton.lock.store;

import java.util.List;

/**
 * Some of the locks that are held; perhaps none, and some perhaps again.
 *
 * @param names which
 * @param cursor where to go on; {@link ScanCommand#START}: there are no more
 */
public record ScanPage(List<LockName> names, String cursor) {

    public boolean isLast() {
        return cursor.equals(ScanCommand.START);
    }
}
