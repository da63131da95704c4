package dev.baton.lock.store;

import dev.baton.lock.WaitStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Describes what a {@link LockStore} can do, and how its waiters learn that it may be their turn. Immutable.
 *
 * @param waitStrategy how waiters are notified; always the same for one store. A store whose strategy is not {@link
 *     WaitStrategy#GRANT} puts no request into a queue, whatever its kind: each is granted by the answer, or not
 * @param pollingInterval the longest pause of {@link WaitStrategy#POLLING} between two questions, positive; {@code null} with any
 *     other strategy
 * @param reservesTokens whether the store makes tokens as {@link Tokens} says, so that an even token means that the tokens which
 *     a request reserves are kept for it. A process may then pass a lock on by itself
 * @param oneLockOnly why the store grants one lock per request only, and the remedy; {@code null} if it grants several together
 * @param confirmedOnly why an end has to be answered before the next command is sent, and the remedy; {@code null} if {@link
 *     LockStore#order()} tells
 */
public record StoreTraits(
        WaitStrategy waitStrategy,
        @Nullable Duration pollingInterval,
        boolean reservesTokens,
        @Nullable String oneLockOnly,
        @Nullable String confirmedOnly) {

    /** The traits of a store that grants to its queue, several locks together if asked, and reserves no tokens. */
    public static final StoreTraits GRANT = new StoreTraits(WaitStrategy.GRANT, null, false, null, null);

    /**
     * Checks the interval.
     *
     * @throws IllegalArgumentException if the strategy is {@link WaitStrategy#POLLING} and there is no positive interval
     */
    public StoreTraits {
        if (waitStrategy == WaitStrategy.POLLING
                && (pollingInterval == null || pollingInterval.isZero() || pollingInterval.isNegative())) {
            throw new IllegalArgumentException(
                    "a store that polls needs a positive polling interval, but has " + pollingInterval);
        }
    }

    /** Returns the same traits for a store that reserves tokens. */
    public StoreTraits withReservedTokens() {
        return new StoreTraits(waitStrategy, pollingInterval, true, oneLockOnly, confirmedOnly);
    }
}
