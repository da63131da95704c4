package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lease of permits has in common with that of a lock, and what not. */
public abstract class PermitLeaseScenarios extends Scenarios {

    private static final LockRequest API = LockRequest.of("k", "a").waitUnbounded();
    /** Names the semaphore to a fleet. */
    private static final LockRequest NAME = API.permits(1);

    private static final Duration AFTER = Duration.ofSeconds(1);

    private LockTemplate one;
    private LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start(settings -> settings.requestAfter(AFTER));
        other = fleet.start(settings -> settings.requestAfter(AFTER));
    }

    @Test
    void permitsAreNotTakenFromTheirHolders() {
        Lease held = one.semaphore(API, 1).acquire();
        assertThatThrownBy(() -> other.forceAcquire(NAME))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overrideSize");
        assertThatThrownBy(() -> other.forceAcquireAsync(NAME)).isInstanceOf(IllegalArgumentException.class);
        assertThat(held.isHeld()).isTrue();
        assertThat(held.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void eachHolderIsToldThatAnotherHasWaited() throws Exception {
        Lease mine = one.semaphore(API, 2).acquire();
        Lease theirs = other.semaphore(API, 2).acquire();
        AtomicInteger toldHere = new AtomicInteger();
        AtomicInteger toldThere = new AtomicInteger();
        mine.onRequested(toldHere::incrementAndGet);
        theirs.onRequested(toldThere::incrementAndGet);
        Future<Lease> waiter = fleet.begin(() -> one.semaphore(API, 2).acquire());
        fleet.awaitWaiting(NAME, 1);
        int heard = fleet.isSubscribed() ? 1 : 0;
        fleet.until(AFTER.plusSeconds(1), () -> toldHere.get() == 1 && toldThere.get() == heard);
        mine.release();
        fleet.get(waiter).release();
        theirs.release();
        fleet.assertNothingLeft();
    }

    @Test
    void leaseOfPermitsHasNoConditions() {
        try (Lease held = one.semaphore(API, 1).acquire()) {
            assertThatThrownBy(() -> held.condition("free").signal())
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("shared");
        }
        fleet.assertNothingLeft();
    }
}
