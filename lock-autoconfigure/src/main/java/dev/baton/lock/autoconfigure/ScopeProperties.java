package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.WaitTime;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * What locks of one scope are given that neither the annotation nor the request says, before {@code baton.*}. Immutable.
 *
 * @param expire Length of a lease, a limit. With unit, 10 ms to 3650 days.
 * @param waitTime Longest time that a request waits for its grant: a duration with unit, 0 to not wait, or 'unbounded'.
 * @param stallTime Gives up waiting when the same holder has kept the lock that long. With unit, at least 10 ms.
 * @param recheck How often a waiter asks Redis by itself. With unit, at least 10 ms.
 * @param holdAtLeast How long the lock is kept even if it is released earlier. With unit, at most expire.
 * @param onLost What happens to work whose lease is lost.
 */
public record ScopeProperties(
        @Nullable @WithUnit Duration expire,
        @Nullable @WithUnit WaitTime waitTime,
        @Nullable @WithUnit Duration stallTime,
        @Nullable @WithUnit Duration recheck,
        @Nullable @WithUnit Duration holdAtLeast,
        @Nullable OnLost onLost) {

    /**
     * The same as a request, of which only the key does not matter.
     *
     * @throws InvalidConfigurationPropertyValueException if the scope or a value cannot be used
     */
    LockRequest request(String scope) {
        String prefix =
                LockProperties.PREFIX + ".scopes" + (scope.matches("[\\w-]+") ? "." + scope : "[" + scope + "]");
        LockRequest request;
        try {
            request = LockRequest.of(scope).waitTime(waitTime).onLost(onLost);
        } catch (IllegalArgumentException ex) {
            throw new InvalidConfigurationPropertyValueException(prefix, this, ex.getMessage());
        }
        request = checked(request, prefix + ".expire", expire, given -> given.expire(expire));
        request = checked(request, prefix + ".stall-time", stallTime, given -> given.stallTime(stallTime));
        request = checked(request, prefix + ".recheck", recheck, given -> given.recheck(recheck));
        return checked(request, prefix + ".hold-at-least", holdAtLeast, given -> given.holdAtLeast(holdAtLeast));
    }

    /** As the element of a property's name is written after another. */
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
