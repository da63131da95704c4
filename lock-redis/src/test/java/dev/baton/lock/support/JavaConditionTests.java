package dev.baton.lock.support;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.JavaConditionScenarios;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Conditions as java.util.concurrent has them, on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class JavaConditionTests extends JavaConditionScenarios {

    private final Backend backend;

    JavaConditionTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
