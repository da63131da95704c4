package dev.baton.lock.engine.ticket;

import dev.baton.lock.LockHolder;
import org.jspecify.annotations.Nullable;

/** What ties one claim to others of its process: where it waits with them, and what has its lock in the store. Thread-safe. */
public final class Membership {

    /** Where it waits instead of asking; null: it asks by itself. */
    private volatile @Nullable ClaimGroup cohort;
    /** What has its lock in the store; null: the claim itself. */
    private volatile @Nullable Claim block;
    /** Somebody of its own process was in its way. */
    private volatile boolean hindered;
    /** Once it was granted, who was seen to hold the lock before; null: nobody. */
    private volatile @Nullable LockHolder before;

    /**
     * From now on it waits there, and does not ask by itself.
     *
     * @param behind whether somebody there is in its way
     */
    public void joined(ClaimGroup there, boolean behind) {
        hindered = behind;
        cohort = there;
    }

    /**
     * It is about to be granted.
     *
     * @param by what has the lock in the store
     * @param passed whether another member held it by the same grant of the store
     * @param seen who held the lock before, if that is known
     * @param last who held it before in this process, if anybody did: whoever found him there has waited for him
     */
    void granted(Claim by, boolean passed, @Nullable LockHolder seen, @Nullable LockHolder last) {
        before = seen == null && hindered ? last : seen;
        if (passed) {
            hindered = true;
        }
        block = by;
    }

    @Nullable
    ClaimGroup cohort() {
        return cohort;
    }

    @Nullable
    Claim block() {
        return block;
    }

    @Nullable
    LockHolder before() {
        return before;
    }

    /** Whether anybody was in the way of a claim that waits, or waited, in this cohort. */
    boolean isContended(ClaimGroup there) {
        Claim by = block;
        return hindered || (by == null ? there.isContended() : by.contended());
    }
}
