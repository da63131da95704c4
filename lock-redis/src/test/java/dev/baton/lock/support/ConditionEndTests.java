package dev.baton.lock.support;

import dev.baton.lock.scenario.ConditionEndScenarios;
import dev.baton.lock.scenario.Fleet;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The ends of waits at conditions, on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class ConditionEndTests extends ConditionEndScenarios {

    private final Backend backend;

    ConditionEndTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
