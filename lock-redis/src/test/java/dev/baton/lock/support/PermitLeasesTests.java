package dev.baton.lock.support;

import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.PermitLeaseScenarios;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases of permits, on a real Redis. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class PermitLeasesTests extends PermitLeaseScenarios {

    private final Backend backend;

    PermitLeasesTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }
}
