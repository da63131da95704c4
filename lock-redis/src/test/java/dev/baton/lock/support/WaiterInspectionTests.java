package dev.baton.lock.support;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.WaiterInspectionScenarios;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Looking at the waiters of a lock on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#all")
class WaiterInspectionTests extends WaiterInspectionScenarios {

    private final Backend backend;

    WaiterInspectionTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
