package dev.baton.lock;

import java.util.List;
import java.util.Optional;

/**
 * A page of the held locks, and of the semaphores with permits in use. Immutable.
 *
 * @param locks the locks and semaphores of the page; may be empty, and may repeat those of an earlier page
 * @param next the start of the next page; empty if this page is the last
 */
public record LockPage(List<LockState> locks, Optional<String> next) {

    /** The start of the first page. */
    public static final String START = "0";

    public LockPage {
        locks = List.copyOf(locks);
    }
}
