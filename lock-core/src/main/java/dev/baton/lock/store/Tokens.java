package dev.baton.lock.store;

/**
 * The rule by which a store makes fencing tokens of its clock, the same for all that write to it. Pure; times are microseconds of
 * the store's clock.
 *
 * <p>A grant can keep tokens free: those with which its process passes the lock on by itself. Tokens that are kept and never used
 * take the highest token ahead of the clock. It stays so near the clock that a store which has lost all data can begin above every
 * token that it has given: by {@link #MOST_AHEAD}. Where tokens cannot be kept, the grant keeps none.
 *
 * <p>A token that a store gives says whether tokens are kept: it is even if they are, and odd if none is. So whoever learns of a grant
 * knows it, by a message, an answer, or another process.
 */
public final class Tokens {

    /** How far ahead of the clock the tokens that a grant keeps may reach, in microseconds: twice the largest cohort limit. */
    public static final long MOST_AHEAD = 2_000;

    private Tokens() {}

    /**
     * The token of the next grant.
     *
     * @param highest the highest token given so far, or kept; 0: the store knows of none
     * @param now the store's clock
     * @param wanted how many tokens after it are to be kept; not negative
     */
    public static long next(long highest, long now, long wanted) {
        // a store that knows of no token may have lost those that were ahead
        long least = highest == 0 ? now + MOST_AHEAD : Math.max(now, highest + 1);
        long even = least + least % 2;
        return wanted > 0 && even + wanted <= now + MOST_AHEAD ? even : least + 1 - least % 2;
    }

    /**
     * How many tokens after this one are given to nobody else.
     *
     * @param token as the store gave it
     * @param wanted how many its grant was to keep
     */
    public static long kept(long token, long wanted) {
        return token % 2 == 0 ? wanted : 0;
    }
}
