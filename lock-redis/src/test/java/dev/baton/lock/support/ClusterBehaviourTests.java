package dev.baton.lock.support;

import dev.baton.lock.scenario.AsyncScenarios;
import dev.baton.lock.scenario.ComputeIfAbsentScenarios;
import dev.baton.lock.scenario.ConditionEndScenarios;
import dev.baton.lock.scenario.ConditionScenarios;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.InspectionScenarios;
import dev.baton.lock.scenario.JavaConditionScenarios;
import dev.baton.lock.scenario.LeaseQueueScenarios;
import dev.baton.lock.scenario.LeaseScenarios;
import dev.baton.lock.scenario.LockScenarios;
import dev.baton.lock.scenario.LossScenarios;
import dev.baton.lock.scenario.MutexScenarios;
import dev.baton.lock.scenario.OnLostScenarios;
import dev.baton.lock.scenario.OwnerScenarios;
import dev.baton.lock.scenario.PermitLeaseScenarios;
import dev.baton.lock.scenario.PermitScenarios;
import dev.baton.lock.scenario.QueueScenarios;
import dev.baton.lock.scenario.ReentryScenarios;
import dev.baton.lock.scenario.RequestedScenarios;
import dev.baton.lock.scenario.SeveralLocksPatienceScenarios;
import dev.baton.lock.scenario.SeveralLocksScenarios;
import dev.baton.lock.scenario.SharedScenarios;
import dev.baton.lock.scenario.StealQueueScenarios;
import dev.baton.lock.scenario.StealScenarios;
import dev.baton.lock.scenario.StopScenarios;
import dev.baton.lock.scenario.VerifyScenarios;
import dev.baton.lock.scenario.WaiterInspectionScenarios;
import dev.baton.lock.scenario.WaitingScenarios;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a lock does in a Redis Cluster, over each client: what it does on one server.
 */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.ClusterBackend#all")
@Tag("nightly")
class ClusterBehaviourTests {

    private final ClusterBackend backend;

    ClusterBehaviourTests(ClusterBackend backend) {
        this.backend = backend;
    }

    @Nested
    class Locks extends LockScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Mutexes extends MutexScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Waits extends WaitingScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Queues extends QueueScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Leases extends LeaseScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class LeaseQueues extends LeaseQueueScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Losses extends LossScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class LossReactions extends OnLostScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Verification extends VerifyScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Stops extends StopScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Inspections extends InspectionScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class WaiterInspections extends WaiterInspectionScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Reentries extends ReentryScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Owners extends OwnerScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class AsynchronousCalls extends AsyncScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class ComputedValues extends ComputeIfAbsentScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class SeveralLocks extends SeveralLocksScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class SeveralLocksPatience extends SeveralLocksPatienceScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Shared extends SharedScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Steals extends StealScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class QueueSteals extends StealQueueScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Requested extends RequestedScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Permits extends PermitScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class PermitLeases extends PermitLeaseScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class Conditions extends ConditionScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class ConditionEnds extends ConditionEndScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }

    @Nested
    class ConditionsAsJavaHasThem extends JavaConditionScenarios {

        @Override
        protected Fleet newFleet() {
            return new ClusterFleet(backend);
        }
    }
}
