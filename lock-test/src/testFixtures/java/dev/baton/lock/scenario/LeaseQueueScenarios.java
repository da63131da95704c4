package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a holder cannot do with its lease because of those that wait in turn. */
public abstract class LeaseQueueScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));
    private static final String LOCK = "x.global";

    @Test
    void lostLeaseForWhichAnotherWaitsIsNotTakenAgain() throws Exception {
        LockTemplate one = fleet.start();
        LockTemplate other = fleet.start();
        Lease lease = one.acquire(X);
        Future<Lease> waiter = fleet.begin(() -> other.acquire(X.waitUnbounded()));
        fleet.awaitWaiting(LOCK, 1);
        fleet.delete(LOCK);
        assertThat(fleet.call(() -> lease.renewOrReacquire(Duration.ofSeconds(20))))
                .isEmpty();
        fleet.until(Duration.ofSeconds(5), waiter::isDone);
        assertThat(fleet.get(waiter).release()).isTrue();
    }
}
