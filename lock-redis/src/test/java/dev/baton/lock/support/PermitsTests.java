package dev.baton.lock.support;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.PermitScenarios;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Permits of semaphores, on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class PermitsTests extends PermitScenarios {

    private final Backend backend;

    PermitsTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
