package dev.baton.lock.store;

import dev.baton.lock.WaitStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Describes what a {@link LockStore} can do, and how its waiters learn that it may be their turn. Immutable.
 *
 * @param waitStrategy how waiters are notified; always the same for one store. A store whose strategy is not
 *     {@link WaitStrategy#GRANT} puts no request into a queue, whatever its kind: the answer grants a request or does
 *     not. A store may treat a request for several locks in the same way
 * @param pollingInterval the longest pause between two acquires of a request that polls and has no interval of its own,
 *     positive. With {@link WaitStrategy#POLLING} every request polls, otherwise those that ask to
 * @param reservesTokens whether the store makes tokens as {@link Tokens} says: an even token means that the tokens
 *     which its request asked for are reserved. A process may then pass a lock on without a command
 * @param confirmedOnly why an end has to be answered before the next command is sent, and the remedy; {@code null} if
 *     {@link LockStore#order()} shows whether commands are carried out in order
 * @param exclusiveOnly why no request can share a lock or take permits; {@code null} if requests can
 * @param noConditions why no request can await a condition, and the remedy; {@code null} if requests can
 * @param longestExpire the longest lease that a request may have; {@code null} if any length is possible
 */
public record StoreTraits(
        WaitStrategy waitStrategy,
        Duration pollingInterval,
        boolean reservesTokens,
        @Nullable String confirmedOnly,
        @Nullable String exclusiveOnly,
        @Nullable String noConditions,
        @Nullable Duration longestExpire) {

    private static final String NO_CONDITIONS =
            "this lock store has no conditions; release the lock and wait for the condition by other means";
    private static final String EXCLUSIVE_ONLY = "this store has exclusive locks only";

    /** The usual polling interval. */
    public static final Duration POLLING_INTERVAL = Duration.ofMillis(100);

    /** The traits of a store that grants to its queue, reserves no tokens, and shares no locks. */
    public static final StoreTraits GRANT = new StoreTraits(WaitStrategy.GRANT, POLLING_INTERVAL, false, null);

    /** Creates the traits of a store that shares no locks. */
    public StoreTraits(
            WaitStrategy waitStrategy,
            Duration pollingInterval,
            boolean reservesTokens,
            @Nullable String confirmedOnly) {
        this(waitStrategy, pollingInterval, reservesTokens, confirmedOnly, EXCLUSIVE_ONLY);
    }

    /** Creates the traits of a store that has no conditions. */
    public StoreTraits(
            WaitStrategy waitStrategy,
            Duration pollingInterval,
            boolean reservesTokens,
            @Nullable String confirmedOnly,
            @Nullable String exclusiveOnly) {
        this(waitStrategy, pollingInterval, reservesTokens, confirmedOnly, exclusiveOnly, NO_CONDITIONS);
    }

    /** Creates the traits of a store with leases of any length. */
    public StoreTraits(
            WaitStrategy waitStrategy,
            Duration pollingInterval,
            boolean reservesTokens,
            @Nullable String confirmedOnly,
            @Nullable String exclusiveOnly,
            @Nullable String noConditions) {
        this(waitStrategy, pollingInterval, reservesTokens, confirmedOnly, exclusiveOnly, noConditions, null);
    }

    /**
     * Checks the interval.
     *
     * @throws IllegalArgumentException if the interval is not positive
     */
    public StoreTraits {
        if (pollingInterval.isZero() || pollingInterval.isNegative()) {
            throw new IllegalArgumentException("a store needs a positive polling interval, but has " + pollingInterval);
        }
    }

    /**
     * Returns whether a request can wait in this way: as all requests of the store do, or by polling. A request that
     * polls is sent as a try each time, which every store can answer.
     */
    public boolean serves(WaitStrategy strategy) {
        return strategy == waitStrategy || strategy == WaitStrategy.POLLING;
    }

    /** Returns the same traits for a store that reserves tokens. */
    public StoreTraits withReservedTokens() {
        return new StoreTraits(
                waitStrategy, pollingInterval, true, confirmedOnly, exclusiveOnly, noConditions, longestExpire);
    }

    /** Returns the same traits for a store whose requests can share locks. */
    public StoreTraits withSharedLocks() {
        return new StoreTraits(
                waitStrategy, pollingInterval, reservesTokens, confirmedOnly, null, noConditions, longestExpire);
    }

    /** Returns the same traits for a store whose requests can await conditions. */
    public StoreTraits withConditions() {
        return new StoreTraits(
                waitStrategy, pollingInterval, reservesTokens, confirmedOnly, exclusiveOnly, null, longestExpire);
    }

    /** Returns the same traits for a store whose leases are at most this long; {@code null} for any length. */
    public StoreTraits withLongestExpire(@Nullable Duration longest) {
        return new StoreTraits(
                waitStrategy, pollingInterval, reservesTokens, confirmedOnly, exclusiveOnly, noConditions, longest);
    }
}
