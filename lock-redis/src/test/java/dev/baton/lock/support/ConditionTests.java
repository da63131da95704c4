package dev.baton.lock.support;

import dev.baton.lock.scenario.ConditionScenarios;
import dev.baton.lock.scenario.Fleet;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions, on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class ConditionTests extends ConditionScenarios {

    private final Backend backend;

    ConditionTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
