package dev.baton.lock;

import java.util.List;
import java.util.Optional;

/**
 * Some of the locks that are held. Immutable.
 *
 * @param locks which; perhaps none, and some perhaps as on a page before
 * @param next where the next page begins; empty: this is the last
 */
public record LockPage(List<LockState> locks, Optional<String> next) {

    /** Where the first page begins. */
    public static final String START = "0";

    public LockPage {
        locks = List.copyOf(locks);
    }
}
