package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.scenario.ConditionEndScenarios;
import dev.baton.lock.scenario.ConditionScenarios;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.JavaConditionScenarios;
import dev.baton.lock.scenario.LeaseQueueScenarios;
import dev.baton.lock.scenario.PermitLeaseScenarios;
import dev.baton.lock.scenario.PermitScenarios;
import dev.baton.lock.scenario.QueueScenarios;
import dev.baton.lock.scenario.SeveralLocksPatienceScenarios;
import dev.baton.lock.scenario.SharedScenarios;
import dev.baton.lock.scenario.StealQueueScenarios;
import dev.baton.lock.scenario.WaiterInspectionScenarios;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** How waiters are served in the modes that queue them, in virtual time. */
@Tag("once")
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

    @Nested
    class Shared extends SharedScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class PermitLeases extends PermitLeaseScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Permits extends PermitScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Conditions extends ConditionScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class ConditionEnds extends ConditionEndScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class ConditionsAsJavaHasThem extends JavaConditionScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class WaiterInspections extends WaiterInspectionScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class SeveralLocksPatience extends SeveralLocksPatienceScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }

        @Test
        void patienceEndsToTheMillisecond() throws Exception {
            Lease busy = other.acquire(B);
            Future<Lease> both = fleet.begin(() -> one.acquire(BOTH.waitUnbounded()));
            fleet.awaitWaiting(NAME_A, 1);
            long asked = fleet.nanoTime();
            fleet.pass(PATIENCE.minusMillis(1));
            Lease a = other.tryAcquire(A).orElseThrow();
            assertThat(a.release()).isTrue();
            fleet.pass(Duration.ofMillis(1));
            assertThat(other.tryAcquire(A)).isEmpty();
            assertThat(fleet.since(asked)).isEqualTo(PATIENCE);
            assertThat(busy.release()).isTrue();
            assertThat(fleet.get(both, Duration.ZERO).release()).isTrue();
            assertThat(fleet.since(asked)).as("handed over at once").isEqualTo(PATIENCE);
            fleet.assertNothingLeft();
        }
    }

    @Nested
    class QueueSteals extends StealQueueScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }
}
