package dev.baton.lock.scenario;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Scenarios on a fleet of their own each. */
public abstract class Scenarios {

    protected Fleet fleet;

    /** Returns a new fleet without processes, which the scenario closes. */
    protected abstract Fleet newFleet();

    @BeforeEach
    void openFleet() {
        fleet = newFleet();
    }

    @AfterEach
    void closeFleet() throws Exception {
        fleet.close();
    }
}
