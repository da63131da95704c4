package dev.baton.lock.store;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireReply.Answer;
import dev.baton.lock.store.AcquireReply.Busy;
import java.util.List;

/**
 * Reply to a {@link ForceAcquireCommand}.
 *
 * @param answer the answer to the request; busy only if another holder was expected
 * @param taken the holders from which locks were taken, one per lock; of several readers, the one whose lease ends last.
 *     Empty if all locks were free, or nothing was changed
 * @param possiblyRepeated whether the connection was lost meanwhile, so that the command may be carried out twice
 */
public record ForceAcquireReply(Answer answer, List<LockHolder> taken, boolean possiblyRepeated) {

    /** Returns the same as the reply to an acquire. If no lock is held, the same request would get further by an acquire. */
    public AcquireReply acquired() {
        boolean free = answer instanceof Busy busy && busy.holder() == null;
        return new AcquireReply(free, List.of(answer), possiblyRepeated, false, false);
    }
}
