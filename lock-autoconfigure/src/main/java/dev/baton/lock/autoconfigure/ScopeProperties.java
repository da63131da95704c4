package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.OnStuck;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.store.StoreTraits;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of the locks of one scope. They apply where neither the annotation nor the request sets a value, and take
 * precedence over {@code baton.*}. Immutable.
 *
 * @param expire Length of a lease, as a limit. With unit, 10 ms to 3650 days.
 * @param waitTime Longest time that a request waits for its grant: a duration with unit, 0 to not wait, or 'unbounded'.
 * @param stallTime How long a request waits behind the same holder before it gives up. With unit, at least 10 ms.
 * @param onStuck How a request proceeds when the stall time is over: 'fail', or 'steal' the lock from its holder.
 * @param recheck How often a waiter asks Redis again. With unit, at least 10 ms.
 * @param waitStrategy How waiters are notified: 'polling', or as baton.wait-strategy says.
 * @param pollingInterval Longest pause between two polls, jittered uniformly. With unit, at least 1 ms. Only for waiters
 *     that poll.
 * @param holdAtLeast How long the lock is kept, even if it is released earlier. With unit, at most expire.
 * @param onLost How the loss of a lease affects work that is not done yet.
 */
public record ScopeProperties(
        @Nullable @WithUnit Duration expire,
        @Nullable @WithUnit WaitTime waitTime,
        @Nullable @WithUnit Duration stallTime,
        @Nullable OnStuck onStuck,
        @Nullable @WithUnit Duration recheck,
        @Nullable WaitStrategy waitStrategy,
        @Nullable @WithUnit Duration pollingInterval,
        @Nullable @WithUnit Duration holdAtLeast,
        @Nullable OnLost onLost) {

    /**
     * Returns these properties as a request, whose key has no meaning.
     *
     * @throws InvalidConfigurationPropertyValueException if the scope or a value cannot be used
     */
    LockRequest request(String scope) {
        String prefix = prefix(scope);
        LockRequest request;
        try {
            request = LockRequest.of(scope)
                    .waitTime(waitTime)
                    .waitStrategy(waitStrategy)
                    .onStuck(onStuck)
                    .onLost(onLost);
        } catch (IllegalArgumentException ex) {
            throw new InvalidConfigurationPropertyValueException(prefix, this, ex.getMessage());
        }
        request = checked(request, prefix + ".expire", expire, given -> given.expire(expire));
        request = checked(request, prefix + ".stall-time", stallTime, given -> given.stallTime(stallTime));
        request = checked(request, prefix + ".recheck", recheck, given -> given.recheck(recheck));
        request = checked(
                request,
                prefix + ".polling-interval",
                pollingInterval,
                given -> given.pollingInterval(pollingInterval));
        return checked(request, prefix + ".hold-at-least", holdAtLeast, given -> given.holdAtLeast(holdAtLeast));
    }

    /**
     * Checks that the store can serve the locks of the scope as these properties say.
     *
     * @param otherwise the stall time of a scope without its own, or {@code null} if there is none
     * @throws InvalidConfigurationPropertyValueException if the store cannot, the polling interval has no effect, or a lock
     *     would be taken from a stuck holder and there is no stall time
     */
    void checkWait(String scope, StoreTraits traits, @Nullable Duration otherwise) {
        if (onStuck == OnStuck.STEAL && stallTime == null && otherwise == null) {
            throw new InvalidConfigurationPropertyValueException(
                    prefix(scope) + ".on-stuck",
                    onStuck,
                    "no holder counts as stuck without a stall time; set " + prefix(scope)
                            + ".stall-time or baton.stall-time as well, or use 'fail'");
        }
        Duration longest = traits.longestExpire();
        if (expire != null && longest != null && expire.compareTo(longest) > 0) {
            throw new InvalidConfigurationPropertyValueException(
                    prefix(scope) + ".expire",
                    expire,
                    "it is longer than the longest lease, " + longest.toMillis()
                            + " ms (baton.longest-expire); shorten it, or raise baton.longest-expire in every process");
        }
        WaitStrategy strategy = waitStrategy == null ? traits.waitStrategy() : waitStrategy;
        if (!traits.serves(strategy)) {
            throw new InvalidConfigurationPropertyValueException(
                    prefix(scope) + ".wait-strategy",
                    waitStrategy,
                    "the store waits with " + text(traits.waitStrategy())
                            + " (baton.wait-strategy); leave it out, or use 'polling'");
        }
        if (pollingInterval != null && strategy != WaitStrategy.POLLING) {
            throw new InvalidConfigurationPropertyValueException(
                    prefix(scope) + ".polling-interval",
                    pollingInterval,
                    "it has no effect, because the wait strategy of the scope is " + text(strategy) + "; set "
                            + prefix(scope) + ".wait-strategy: polling as well, or leave the interval out");
        }
    }

    private static String prefix(String scope) {
        return LockProperties.PREFIX + ".scopes" + element(scope);
    }

    private static String text(WaitStrategy strategy) {
        return "'" + strategy.name().toLowerCase(Locale.ROOT) + "'";
    }

    /** Returns the name as the next element of the name of a property. */
    static String element(String name) {
        return name.matches("[\\w-]+") ? "." + name : "[" + name + "]";
    }

    private static LockRequest checked(
            LockRequest request, String property, @Nullable Duration value, UnaryOperator<LockRequest> change) {
        try {
            return change.apply(request);
        } catch (IllegalArgumentException ex) {
            throw new InvalidConfigurationPropertyValueException(property, value, ex.getMessage());
        }
    }
}
