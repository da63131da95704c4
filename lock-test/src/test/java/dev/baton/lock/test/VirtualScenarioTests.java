package dev.baton.lock.test;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.MutexScenarios;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** How a lock behaves in every mode of the engine, in virtual time. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.baton.lock.test.VirtualMode#all")
class VirtualScenarioTests {

    private final VirtualMode mode;

    VirtualScenarioTests(VirtualMode mode) {
        this.mode = mode;
    }

    @Nested
    class Mutexes extends MutexScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }
}
