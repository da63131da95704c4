package dev.baton.lock.test;

import dev.baton.lock.scenario.AsyncScenarios;
import dev.baton.lock.scenario.ComputeIfAbsentScenarios;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.InspectionScenarios;
import dev.baton.lock.scenario.KeyScenarios;
import dev.baton.lock.scenario.LeaseScenarios;
import dev.baton.lock.scenario.LockScenarios;
import dev.baton.lock.scenario.LossScenarios;
import dev.baton.lock.scenario.MutexScenarios;
import dev.baton.lock.scenario.OnLostScenarios;
import dev.baton.lock.scenario.OwnerScenarios;
import dev.baton.lock.scenario.ReentryScenarios;
import dev.baton.lock.scenario.RequestedScenarios;
import dev.baton.lock.scenario.SeveralLocksScenarios;
import dev.baton.lock.scenario.StealScenarios;
import dev.baton.lock.scenario.StopScenarios;
import dev.baton.lock.scenario.VerifyScenarios;
import dev.baton.lock.scenario.WaitingScenarios;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** How a lock behaves in every mode of the engine, in virtual time. */
@Tag("once")
@ParameterizedClass(name = "{0}")
@MethodSource("dev.baton.lock.test.VirtualMode#all")
@Timeout(120) // a thread of a scenario that waits by itself would wait for ever
class VirtualScenarioTests {

    private final VirtualMode mode;

    VirtualScenarioTests(VirtualMode mode) {
        this.mode = mode;
    }

    @Nested
    class Locks extends LockScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Mutexes extends MutexScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Waits extends WaitingScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Leases extends LeaseScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Losses extends LossScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class LossReactions extends OnLostScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class SeveralLocks extends SeveralLocksScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Verification extends VerifyScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Stops extends StopScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Keys extends KeyScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Inspections extends InspectionScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Reentries extends ReentryScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Owners extends OwnerScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class AsynchronousCalls extends AsyncScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class ComputedValues extends ComputeIfAbsentScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Steals extends StealScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }

    @Nested
    class Requested extends RequestedScenarios {

        @Override
        protected Fleet newFleet() {
            return new VirtualFleet(mode);
        }
    }
}
