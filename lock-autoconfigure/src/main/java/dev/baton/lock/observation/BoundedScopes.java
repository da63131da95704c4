package dev.baton.lock.observation;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Creates one value per scope, on the first request for the scope, up to a maximum number of scopes. Later scopes share
 * the value of {@value #OTHER}, and a warning is logged once. A scope keeps its value for good. Thread-safe.
 */
final class BoundedScopes<T> {

    /** The scope whose value is shared by scopes without a value of their own. */
    static final String OTHER = "other";

    /** The default maximum number of scopes; the same as that of {@code baton.metrics.max-scopes}. */
    static final int DEFAULT_MAX = 100;

    private final int max;
    private final Function<String, T> making;
    private final Logger log;
    private final String what;
    private final ConcurrentHashMap<String, T> own = new ConcurrentHashMap<>();
    /** Number of places taken, including those whose value is still being created. */
    private final AtomicInteger taken = new AtomicInteger();

    private final AtomicBoolean warned = new AtomicBoolean();
    /** The value of {@link #OTHER}, from its first use on. */
    private final ConcurrentHashMap<String, T> shared = new ConcurrentHashMap<>();

    /**
     * Creates an instance without values.
     *
     * @param max the maximum number of scopes with a value of their own, at least 1
     * @param making creates the value of a scope; called once per scope, and must not request a scope itself
     * @param what the name of the shared values, for the warning
     * @throws IllegalArgumentException if {@code max} is less than 1
     */
    BoundedScopes(int max, Function<String, T> making, Logger log, String what) {
        if (max < 1) {
            throw new IllegalArgumentException("max scopes of " + max + " is too small; use at least 1");
        }
        this.max = max;
        this.making = making;
        this.log = log;
        this.what = what;
    }

    T of(String scope) {
        T known = own.get(scope);
        return known != null ? known : first(scope);
    }

    /**
     * Returns the scope's own value, or empty if the scope shares the value of {@value #OTHER}. Does not create the
     * shared value, and logs no warning.
     */
    Optional<T> own(String scope) {
        return scope.equals(OTHER) ? Optional.empty() : Optional.ofNullable(placed(scope));
    }

    private T first(String scope) {
        if (scope.equals(OTHER)) {
            return other();
        }
        T known = placed(scope);
        if (known != null) {
            return known;
        }
        if (warned.compareAndSet(false, true)) {
            log.warn(
                    "There are more than {} scopes (baton.metrics.max-scopes); '{}' and those that come later share the {} of"
                            + " scope '{}'. Put what varies into the key, not into the scope",
                    max,
                    scope,
                    what,
                    OTHER);
        }
        return other();
    }

    /** Returns the scope's own value, which is created if there is room, or {@code null} if there is none. */
    private @Nullable T placed(String scope) {
        // a full map contains every scope that has a place. Before that, computeIfAbsent waits for a value in creation:
        // no scope is mistaken for one without a place
        return own.mappingCount() >= max
                ? own.get(scope)
                : own.computeIfAbsent(scope, fresh -> hasRoom() ? making.apply(fresh) : null);
    }

    private boolean hasRoom() {
        return taken.getAndUpdate(count -> Math.min(count + 1, max)) < max;
    }

    private T other() {
        T known = shared.get(OTHER);
        return known != null ? known : shared.computeIfAbsent(OTHER, making);
    }
}
