package dev.baton.lock.board;

import dev.baton.lock.LockState;
import org.jspecify.annotations.Nullable;

/** Told of each lock that was taken away on the board, in the thread that did so. Thread-safe. */
@FunctionalInterface
public interface BoardAudit {

    /** For applications without Actuator. */
    BoardAudit NONE = (who, before, released) -> {};

    /**
     * One was.
     *
     * @param who asked for it; null: not known
     * @param before the lock as it was just before
     * @param released whether somebody held it even then
     */
    void released(@Nullable String who, LockState before, boolean released);
}
