package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import dev.baton.lock.store.StoreException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims of one process that wait for the same lock together: one claim, the block, stands in the store for all of them. */
public interface ClaimGroup {

    /** The members that wait, first come first. */
    List<Claim> waiting();

    /** Whether one of the members holds this block. */
    boolean isHolding(Claim block);

    /** Whether the lock is known to be in the way of the members that wait. */
    boolean isContended();

    /** Whether the members that wait were not granted the lock with this token. */
    boolean isOvertaken(long token);

    /** Why the last question on their behalf was not answered; null if it was, or none was needed. */
    @Nullable
    StoreException failure();

    /** Whether a question on their behalf has been under way for at least so long. */
    boolean isUnanswered(long nanos, long now);

    /** The holder that is in their way, as far as is known; null: none is known. */
    @Nullable
    LockHolder holder(long now);
}
