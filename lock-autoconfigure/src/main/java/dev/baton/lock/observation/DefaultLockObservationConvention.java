package dev.baton.lock.observation;

import dev.baton.lock.LockHolder;
import dev.baton.lock.LockMode;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Locale;
import org.slf4j.LoggerFactory;

/**
 * Default convention: names observations {@code baton.lock} and tags them with scope, mode and outcome. The high-cardinality
 * values are the fencing token, the time waited and the holder that the request waited for. The name of the lock is a
 * value only on request, because its key may be personal data. Scopes beyond a maximum share the value {@code other},
 * so that the number of meters made from observations is bounded. Thread-safe.
 */
public final class DefaultLockObservationConvention implements LockObservationConvention {

    /** The name of the observation. */
    public static final String NAME = "baton.lock";

    private static final KeyValue NOT_WAITED = KeyValue.of("baton.waited.ms", "0");
    /** The values with which every observation begins. */
    private static final KeyValues NOTHING_YET = KeyValues.of(KeyValue.of("baton.token", "0"), NOT_WAITED);

    private final BoundedScopes<OfScope> scopes;
    private final boolean names;

    /**
     * Creates a convention for 100 scopes, the default of {@code baton.metrics.max-scopes}.
     *
     * @param names whether the name of the lock is a key value
     */
    public DefaultLockObservationConvention(boolean names) {
        this(names, BoundedScopes.DEFAULT_MAX);
    }

    /**
     * Creates a convention.
     *
     * @param names whether the name of the lock is a key value
     * @param maxScopes the number of scopes with a value of their own, at least 1; later scopes are {@code other}
     * @throws IllegalArgumentException if {@code maxScopes} is less than 1
     */
    public DefaultLockObservationConvention(boolean names, int maxScopes) {
        this.names = names;
        this.scopes = new BoundedScopes<>(
                maxScopes,
                OfScope::new,
                LoggerFactory.getLogger(DefaultLockObservationConvention.class),
                "observations");
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        return scopes.of(context.scope()).contextualName;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return scopes.of(context.scope()).of(context.request().mode()).with(context.outcome());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        KeyValues values = numbers(context.fencingToken(), context.waited().toMillis());
        if (names) {
            values = values.and("baton.name", context.request().name());
        }
        LockHolder before = context.waitedFor().orElse(null);
        return before == null ? values : values.and("baton.waited.for", before.label());
    }

    private static KeyValues numbers(long token, long millis) {
        if (token == 0 && millis == 0) {
            return NOTHING_YET;
        }
        KeyValue waited = millis == 0 ? NOT_WAITED : KeyValue.of("baton.waited.ms", Long.toString(millis));
        return KeyValues.of(KeyValue.of("baton.token", Long.toString(token)), waited);
    }

    /** The values that all observations of a scope share. Immutable. */
    private static final class OfScope {

        final String contextualName;
        private final OfMode exclusive;
        private final OfMode shared;

        OfScope(String scope) {
            this.contextualName = "lock " + scope;
            this.exclusive = new OfMode(scope, LockMode.EXCLUSIVE);
            this.shared = new OfMode(scope, LockMode.SHARED);
        }

        OfMode of(LockMode mode) {
            return mode == LockMode.SHARED ? shared : exclusive;
        }
    }

    /** The values that all observations of a scope in one mode share. Immutable. */
    private static final class OfMode {

        private final KeyValue scope;
        private final KeyValue mode;
        /** The two most frequent values: every observation begins with this one and most end with {@link #granted}. */
        private final KeyValues undecided;

        private final KeyValues granted;

        OfMode(String scope, LockMode mode) {
            this.scope = KeyValue.of("baton.scope", scope);
            this.mode = KeyValue.of("baton.mode", mode.name().toLowerCase(Locale.ROOT));
            this.undecided = made(LockObservationContext.UNDECIDED);
            this.granted = made(LockObservationContext.GRANTED);
        }

        KeyValues with(String outcome) {
            return switch (outcome) {
                case LockObservationContext.UNDECIDED -> undecided;
                case LockObservationContext.GRANTED -> granted;
                default -> made(outcome);
            };
        }

        private KeyValues made(String outcome) {
            return KeyValues.of(mode, KeyValue.of("baton.outcome", outcome), scope);
        }
    }
}
