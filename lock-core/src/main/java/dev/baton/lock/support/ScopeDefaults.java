package dev.baton.lock.support;

import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The defaults per scope for what a request leaves open. A request for locks of several scopes belongs to no scope.
 *
 * @param byScope the defaults by scope, as requests whose key does not matter
 */
record ScopeDefaults(Map<String, LockRequest> byScope) {

    ScopeDefaults {
        byScope = Map.copyOf(byScope);
    }

    /** Returns the request with all defaults but the wait time, which depends on whether the request is a try. */
    LockRequest complete(LockRequest request) {
        LockRequest given = of(request);
        if (given == null) {
            return request;
        }
        LockRequest complete = request;
        if (request.expire() == null) {
            complete = complete.expire(given.expire());
        }
        if (request.stallTime() == null && request.permits() == null) {
            complete = complete.stallTime(given.stallTime());
        }
        if (request.onStuck() == null && request.permits() == null) {
            complete = complete.onStuck(given.onStuck());
        }
        if (request.recheck() == null) {
            complete = complete.recheck(given.recheck());
        }
        if (request.waitStrategy() == null) {
            complete = complete.waitStrategy(given.waitStrategy());
        }
        WaitStrategy chosen = complete.waitStrategy();
        // the interval of the scope is for requests that poll; a request may wait in another way
        if (request.pollingInterval() == null && (chosen == null || chosen == WaitStrategy.POLLING)) {
            complete = complete.pollingInterval(given.pollingInterval());
        }
        if (request.holdAtLeast() == null) {
            complete = complete.holdAtLeast(given.holdAtLeast());
        }
        if (request.onLost() == null) {
            complete = complete.onLost(given.onLost());
        }
        return request.renew() == Renewal.AUTO ? complete.renew(given.renew()) : complete;
    }

    /** Returns the default wait time for a request that is not a try, or {@code otherwise} if its scope has none. */
    WaitTime waitTime(LockRequest request, WaitTime otherwise) {
        LockRequest given = of(request);
        WaitTime waitTime = given == null ? null : given.waitTime();
        return waitTime == null ? otherwise : waitTime;
    }

    /** Returns how a request waits, or {@code otherwise} if neither the request nor its scope says. */
    WaitStrategy waitStrategy(LockRequest request, WaitStrategy otherwise) {
        LockRequest given = request.waitStrategy() == null ? of(request) : request;
        WaitStrategy strategy = given == null ? null : given.waitStrategy();
        return strategy == null ? otherwise : strategy;
    }

    /** Returns the scope of a request in events. If the request has several scopes, returns all of them. */
    static String scope(LockRequest request) {
        List<LockTarget> targets = request.targets();
        return targets.size() == 1
                ? targets.get(0).scope()
                : targets.stream().map(LockTarget::scope).distinct().sorted().collect(Collectors.joining("+"));
    }

    private @Nullable LockRequest of(LockRequest request) {
        if (byScope.isEmpty()) {
            return null;
        }
        String scope = request.targets().get(0).scope();
        boolean same =
                request.targets().stream().allMatch(target -> target.scope().equals(scope));
        return same ? byScope.get(scope) : null;
    }
}
