package dev.baton.lock.support;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.InspectionScenarios;
import dev.baton.lock.scenario.WaiterInspectionScenarios;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Looking at locks by plain commands, where scripts are not used. */
@ParameterizedClass
@EnumSource
class TransactionInspectionTests {

    private final Setup setup;

    TransactionInspectionTests(Client client) {
        setup = new Setup(WaitStrategy.GRANT, LockHandler.TRANSACTION, client, 0);
    }

    @Nested
    class Locks extends InspectionScenarios {

        @Override
        protected Fleet newFleet() {
            return new RedisFleet(setup);
        }
    }

    @Nested
    class Waiters extends WaiterInspectionScenarios {

        @Override
        protected Fleet newFleet() {
            return new RedisFleet(setup);
        }
    }
}
