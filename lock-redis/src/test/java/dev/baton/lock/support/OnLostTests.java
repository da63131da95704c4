package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.OnLost;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.OnLostScenarios;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to work whose lease is lost on a real Redis, also to work that never waits. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@Tag("jdk")
class OnLostTests extends OnLostScenarios {

    private final Backend backend;

    OnLostTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        return new RedisFleet(backend);
    }

    /** Spins: a thread that waits cannot keep its interrupt until the end of the lease. */
    @Test
    void interruptThatCameBeforeTheEndOfTheLeaseStays() throws Exception {
        boolean flag = fleet.call(() -> {
            assertThatThrownBy(() -> template.execute(SHORT.onLost(OnLost.INTERRUPT), lease -> {
                        Thread.currentThread().interrupt();
                        spinUntilLost(lease);
                        return "done";
                    }))
                    .isInstanceOf(LockLostException.class);
            return Thread.interrupted();
        });
        assertThat(flag).isTrue();
    }

    private static void spinUntilLost(Lease lease) {
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (lease.isHeld() && System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
        assertThat(lease.isExpired()).isTrue();
    }
}
