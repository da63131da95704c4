package dev.baton.lock.observation;

import io.micrometer.common.KeyValues;

/** An observation convention of an application. */
final class CustomConvention implements LockObservationConvention {

    @Override
    public String getName() {
        return "my.lock";
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        return "mine of " + context.scope();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of("my.outcome", context.outcome());
    }
}
