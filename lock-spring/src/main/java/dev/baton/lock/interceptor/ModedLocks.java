package dev.baton.lock.interceptor;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTarget;
import java.util.List;

/** Makes one request of locks that may differ in their modes. */
public final class ModedLocks {

    private ModedLocks() {}

    /**
     * The locks of one declaration, and their mode.
     *
     * @param targets the locks, at least one
     */
    public record One(List<LockTarget> targets, LockMode mode) {}

    /**
     * Returns the request for these locks, each in its mode. A lock that is declared in both modes is exclusive.
     *
     * @param request gives everything but the locks and their modes
     * @param locks the locks, at least one
     */
    public static LockRequest request(LockRequest request, List<One> locks) {
        List<LockTarget> all =
                locks.stream().flatMap(lock -> lock.targets().stream()).toList();
        LockMode first = locks.get(0).mode();
        if (locks.stream().allMatch(lock -> lock.mode() == first)) {
            LockRequest same = request.targets(all);
            return same.mode() == first && same.isShared() == (first == LockMode.SHARED) ? same : same.mode(first);
        }
        return locks.stream()
                .map(lock -> request.targets(lock.targets()).mode(lock.mode()))
                .reduce(LockRequest::and)
                .orElseThrow();
    }
}
