package dev.baton.lock.test;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.LeaseQueueScenarios;
import dev.baton.lock.scenario.QueueScenarios;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** How waiters are served in the modes that queue them, in virtual time. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.baton.lock.test.VirtualMode#queueing")
@Timeout(120) // a thread of a scenario that waits by itself would wait for ever
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

    @Nested
    class Leases extends LeaseQueueScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }
}
