package dev.baton.lock.engine.cohort;

import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;

/**
 * How many times the lock of one block has been passed on, with which tokens, and whether the store is to be asked for more. Not
 * thread-safe; decides nothing by itself.
 */
final class PassBudget {

    private final CohortPolicy policy;
    /** Those after it are for passes. */
    private long token;

    private int reserved;
    private int made;
    private long since;
    /** How many times the store has extended the block. */
    private int runs;
    /** The store is asked, or has said no. */
    private boolean asked;

    private int madeWhenAsked;

    /** Those that a grant allows. */
    PassBudget(CohortPolicy policy, Grant grant) {
        this.policy = policy;
        this.token = grant.token;
        this.reserved = grant.reserved;
        this.since = grant.grantedAt;
    }

    /** Whether there may be one more before the end of the lease. */
    boolean mayPass(long end, long leaseNanos, long now) {
        return policy.mayPass(made, reserved, since, end, leaseNanos, now);
    }

    /** One more; returns its token. */
    long pass() {
        made++;
        return token + made;
    }

    /** Whether the store is to be asked for more now; true once until it has answered. */
    boolean ask(long leaseNanos, long now) {
        if (asked || !policy.isTimeToExtend(runs, made, reserved, since, leaseNanos, now)) {
            return false;
        }
        asked = true;
        madeWhenAsked = made;
        return true;
    }

    /** Nobody else waited after {@code askedAt}: those since then count, and have taken none of the new tokens. */
    void more(long firstToken, int tokens, long askedAt) {
        made -= madeWhenAsked;
        token = firstToken;
        reserved = tokens;
        since = askedAt;
        runs++;
        asked = false;
    }
}
