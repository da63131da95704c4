package dev.baton.lock.observation;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;

/**
 * Something for each scope, made when the scope is first asked for, for so many scopes and no more: those that come later share what
 * there is for {@value #OTHER}, and are warned of once. A scope never leaves its place. Thread-safe.
 */
final class BoundedScopes<T> {

    /** The scope of those that have no place of their own. */
    static final String OTHER = "other";

    /** How many have one where nobody says; the default of {@code baton.metrics.max-scopes}. */
    static final int DEFAULT_MAX = 100;

    private final int max;
    private final Function<String, T> making;
    private final Logger log;
    private final String what;
    private final ConcurrentHashMap<String, T> own = new ConcurrentHashMap<>();
    /** Places that were given away, perhaps to one that is still being made. */
    private final AtomicInteger taken = new AtomicInteger();

    private final AtomicBoolean warned = new AtomicBoolean();
    /** What there is for the rest, once it was needed. */
    private final ConcurrentHashMap<String, T> shared = new ConcurrentHashMap<>();

    /**
     * Creates it.
     *
     * @param max how many scopes have a place of their own, at least 1
     * @param making what there is for a scope; asked once for each, not to ask for a scope itself
     * @param what what it is that is shared, for the warning
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

    private T first(String scope) {
        if (scope.equals(OTHER)) {
            return other();
        }
        // all that have a place are in the map, so that none that is being made is taken for one without
        T known = own.mappingCount() >= max
                ? own.get(scope)
                : own.computeIfAbsent(scope, fresh -> hasRoom() ? making.apply(fresh) : null);
        if (known != null) {
            return known;
        }
        if (warned.compareAndSet(false, true)) {
            log.warn(
                    "There are more than {} scopes (baton.metrics.max-scopes); '{}' and those that come later share the {} of"
                            + " scope '{}'. Give what varies to the key, not to the scope",
                    max,
                    scope,
                    what,
                    OTHER);
        }
        return other();
    }

    private boolean hasRoom() {
        return taken.getAndUpdate(count -> Math.min(count + 1, max)) < max;
    }

    private T other() {
        T known = shared.get(OTHER);
        return known != null ? known : shared.computeIfAbsent(OTHER, making);
    }
}
