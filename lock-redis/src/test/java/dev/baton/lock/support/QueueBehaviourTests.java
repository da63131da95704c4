package dev.baton.lock.support;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.QueueScenarios;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of service on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class QueueBehaviourTests extends QueueScenarios {

    private final Backend backend;

    QueueBehaviourTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
