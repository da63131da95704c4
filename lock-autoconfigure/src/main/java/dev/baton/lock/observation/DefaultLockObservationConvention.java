package dev.baton.lock.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * {@code baton.lock}: by scope and outcome; of one execution also whom it waited for, for how long, and the fencing token; the name of
 * the lock only if that is wanted, for its key may be personal. Immutable.
 */
public final class DefaultLockObservationConvention implements LockObservationConvention {

    /** The name of the observation. */
    public static final String NAME = "baton.lock";

    private final boolean names;

    /**
     * Creates it.
     *
     * @param names whether the name of the lock is a key value
     */
    public DefaultLockObservationConvention(boolean names) {
        this.names = names;
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        return "lock " + context.getScope();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of(
                KeyValue.of("baton.scope", context.getScope()), KeyValue.of("baton.outcome", context.getOutcome()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        KeyValues values = KeyValues.of(
                KeyValue.of("baton.waited.ms", Long.toString(context.getWaited().toMillis())),
                KeyValue.of("baton.token", Long.toString(context.getFencingToken())));
        if (names) {
            values = values.and("baton.name", context.getRequest().name());
        }
        return context.getWaitedFor().isEmpty()
                ? values
                : values.and("baton.waited.for", context.getWaitedFor().get().label());
    }
}
