package dev.baton.lock.board;

import dev.baton.lock.LockState;
import org.jspecify.annotations.Nullable;

/** Records each force-release on the board. Called in the thread that force-releases the lock. Thread-safe. */
@FunctionalInterface
public interface BoardAudit {

    /** Records nothing, for applications without Actuator. */
    BoardAudit NONE = (user, before, released) -> {};

    /**
     * Records a force-release.
     *
     * @param user the user that asked for the release, or {@code null} if not known
     * @param before the state of the lock just before the release
     * @param released whether the lock was still held at the release
     */
    void released(@Nullable String user, LockState before, boolean released);
}
