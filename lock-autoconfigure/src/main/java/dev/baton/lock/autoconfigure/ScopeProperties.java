package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.WaitTime;
import java.time.Duration;
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
 * @param recheck How often a waiter asks Redis again. With unit, at least 10 ms.
 * @param holdAtLeast How long the lock is kept, even if it is released earlier. With unit, at most expire.
 * @param onLost How the loss of a lease affects work that is not done yet.
 */
public record ScopeProperties(
        @Nullable @WithUnit Duration expire,
        @Nullable @WithUnit WaitTime waitTime,
        @Nullable @WithUnit Duration stallTime,
        @Nullable @WithUnit Duration recheck,
        @Nullable @WithUnit Duration holdAtLeast,
        @Nullable OnLost onLost) {

    /**
     * Returns these properties as a request, whose key has no meaning.
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
