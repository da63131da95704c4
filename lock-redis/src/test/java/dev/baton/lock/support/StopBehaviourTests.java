package dev.baton.lock.support;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.StopScenarios;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A process on a real Redis stops while it holds locks and waits for others. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class StopBehaviourTests extends StopScenarios {

    private final Backend backend;

    StopBehaviourTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
