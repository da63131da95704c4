package dev.baton.lock.store;

/**
 * Derives fencing tokens from the store's clock, by the same rule for every process that uses the store. Pure; times
 * are microseconds of the store's clock.
 *
 * <p>A grant can reserve tokens, with which its process passes the lock on without a command. Reserved tokens that are
 * never used move the highest token ahead of the clock. The highest token stays close to the clock: a store that has
 * lost all data begins {@link #MOST_AHEAD} ahead of its clock, and thus above every token that it has given. If tokens
 * cannot be reserved, the grant reserves none.
 *
 * <p>A token that a store gives says whether tokens are reserved: it is even if they are, and odd if none is. Every
 * process that learns of a grant can read this from the token, whether a message, an answer or another process reported
 * the grant.
 */
public final class Tokens {

    /** How far reserved tokens may reach ahead of the clock, in microseconds: twice the largest cohort limit. */
    public static final long MOST_AHEAD = 2_000;

    private Tokens() {}

    /**
     * Returns the token of the next grant.
     *
     * @param highest the highest token given or reserved so far, or 0 if the store knows none
     * @param now the time of the store's clock, in microseconds
     * @param wanted how many tokens after the returned one to reserve, not negative
     */
    public static long next(long highest, long now, long wanted) {
        // a store that knows no token may have lost tokens ahead of the clock, so begin above them
        long least = highest == 0 ? now + MOST_AHEAD : Math.max(now, highest + 1);
        long even = least + least % 2;
        return wanted > 0 && even + wanted <= now + MOST_AHEAD ? even : least + 1 - least % 2;
    }

    /**
     * Returns how many tokens after this one are reserved.
     *
     * @param token the token as the store gave it
     * @param wanted how many tokens the grant was to reserve
     */
    public static long kept(long token, long wanted) {
        return token % 2 == 0 ? wanted : 0;
    }
}
