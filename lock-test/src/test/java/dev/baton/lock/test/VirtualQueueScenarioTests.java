package dev.baton.lock.test;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.QueueScenarios;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** How waiters are served in the modes that queue them, in virtual time. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.baton.lock.test.VirtualMode#queueing")
class VirtualQueueScenarioTests {

    private final VirtualMode mode;

    VirtualQueueScenarioTests(VirtualMode mode) {
        this.mode = mode;
    }

    @Nested
    class Queues extends QueueScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }
}
