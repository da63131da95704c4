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
 * @param pollingInterval the longest pause of {@link WaitStrategy#POLLING} between two acquires, positive; {@code null}
 *     with any other strategy
 * @param reservesTokens whether the store makes tokens as {@link Tokens} says: an even token means that the tokens
 *     which its request asked for are reserved. A process may then pass a lock on without a command
 * @param confirmedOnly why an end has to be answered before the next command is sent, and the remedy; {@code null} if
 *     {@link LockStore#order()} shows whether commands are carried out in order
 */
public record StoreTraits(
        WaitStrategy waitStrategy,
        @Nullable Duration pollingInterval,
        boolean reservesTokens,
        @Nullable String confirmedOnly) {

    /** The traits of a store that grants to its queue, and reserves no tokens. */
    public static final StoreTraits GRANT = new StoreTraits(WaitStrategy.GRANT, null, false, null);

    /**
     * Checks the interval.
     *
     * @throws IllegalArgumentException if the strategy is {@link WaitStrategy#POLLING} and there is no positive
     *     interval
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
        return new StoreTraits(waitStrategy, pollingInterval, true, confirmedOnly);
    }
}
