package dev.baton.lock.engine.cohort;

import dev.baton.lock.engine.ticket.CohortPolicy;
import dev.baton.lock.engine.ticket.Grant;

/**
 * Counts how many times the lock of one ticket was passed on, and with which tokens, and whether to ask the store for more
 * passes. Not thread-safe.
 */
final class PassBudget {

    private final CohortPolicy policy;
    /** The token before those that passes take. */
    private long token;

    private int reserved;
    private int made;
    private long since;
    /** How many times the store has extended the ticket. */
    private int runs;
    /** Whether the store is being asked, or has refused. */
    private boolean asked;

    private int madeWhenAsked;

    /** Creates the budget that a grant allows. */
    PassBudget(CohortPolicy policy, Grant grant) {
        this.policy = policy;
        this.token = grant.token;
        this.reserved = grant.reserved;
        this.since = grant.grantedAt;
    }

    /** Returns whether one more pass fits before the end of the lease. */
    boolean mayPass(long end, long leaseNanos, long now) {
        return policy.mayPass(made, reserved, since, end, leaseNanos, now);
    }

    /** Counts one more pass. Returns its token. */
    long pass() {
        made++;
        return token + made;
    }

    /** Returns whether to ask the store for more passes now. Returns {@code true} once, until the store has answered. */
    boolean ask(long leaseNanos, long now) {
        if (asked || !policy.isTimeToExtend(runs, made, reserved, since, leaseNanos, now)) {
            return false;
        }
        asked = true;
        madeWhenAsked = made;
        return true;
    }

    /**
     * Adds passes, because no other process waited after {@code askedAt}. The passes since then count, and have taken none of
     * the new tokens.
     */
    void more(long firstToken, int tokens, long askedAt) {
        made -= madeWhenAsked;
        token = firstToken;
        reserved = tokens;
        since = askedAt;
        runs++;
        asked = false;
    }
}
