package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A process stops while it holds locks and waits for others. A stop looks at its threads by the time of the machine, too: the
 * test waits for it outside of the time of the fleet, which stands meanwhile if it is virtual.
 */
public abstract class StopScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "x.global";

    protected LockTemplate stopping;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        // longer than the slowest machine takes for any of these scenarios
        stopping = fleet.start(
                builder -> builder.shutdownAwait(Duration.ofSeconds(30)).expire(Duration.ofSeconds(2)));
        other = fleet.start(builder -> builder.recheck(Duration.ofSeconds(30)));
    }

    @Test
    void workIsFinishedUnderTheLockAndTheNextProcessGetsItAtOnce() throws Exception {
        CompletableFuture<Boolean> finish = new CompletableFuture<>();
        Future<Long> work = fleet.begin(() -> stopping.execute(X, lease -> {
            finish.get();
            assertThat(stopping.<Boolean, RuntimeException>execute(X, Lease::isHeld))
                    .as("re-entry while it stops")
                    .isTrue();
            return fleet.nanoTime();
        }));
        fleet.until(Duration.ofSeconds(10), () -> fleet.isHeld(LOCK));
        Future<Long> next = fleet.begin(() -> other.execute(X, lease -> fleet.nanoTime()));
        fleet.awaitWaiting(LOCK, 1);

        Future<Boolean> stop = fleet.begin(() -> {
            stopping.stop();
            return true;
        });
        fleet.until(Duration.ofSeconds(10), () -> !stopping.isRunning());
        // more than two of its leases
        fleet.pass(Duration.ofMillis(4_500));
        assertThat(next.isDone()).as("it is renewed while its holder works").isFalse();
        assertThat(stop.isDone()).isFalse();
        assertThatThrownBy(() -> stopping.acquire(LockRequest.of("y")))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("is stopping");
        finish.complete(true);

        long finished = fleet.get(work);
        assertThat(Duration.ofNanos(fleet.get(next) - finished)).isLessThan(Duration.ofSeconds(2));
        // waits for the stop that has begun
        stopping.stop();
        assertThat(fleet.since(finished)).isLessThan(Duration.ofSeconds(5));
        assertThat(fleet.get(stop)).isTrue();
        assertThat(fleet.isHeld(LOCK)).isFalse();
        fleet.assertNothingLeft();
    }

    @Test
    void waiterIsToldAtOnceAndLeavesTheQueue() throws Exception {
        try (Lease lease = other.acquire(X)) {
            Future<Lease> waiter = fleet.begin(() -> stopping.acquire(X.waitUnbounded()));
            fleet.awaitWaiting(LOCK, 1);
            long start = fleet.nanoTime();
            stopping.stop();
            assertThat(fleet.since(start))
                    .as("no lock is held: there is nothing to wait for")
                    .isLessThan(Duration.ofSeconds(4));
            assertThat(other.inspect(X).waiting()).isZero();
            assertThatThrownBy(() -> fleet.get(waiter))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("is stopping");
            assertThat(fleet.since(start)).isLessThan(Duration.ofSeconds(5));
            assertThat(lease.isHeld()).isTrue();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void whatIsHeldAfterwardsEndsByItselfAndIsNotReleased() throws Exception {
        LockTemplate hasty = fleet.start(builder -> builder.shutdownAwait(Duration.ofMillis(50)));
        long acquired = fleet.nanoTime();
        Lease lease = hasty.acquire(X.expire(Duration.ofSeconds(2)));
        hasty.stop();

        assertThat(fleet.isHeld(LOCK)).isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(other.tryAcquire(X)).isEmpty();
        long start = fleet.nanoTime();
        fleet.call(lease::release);
        assertThat(fleet.since(start)).as("no process is there to confirm it").isLessThan(Duration.ofSeconds(1));
        assertThat(fleet.isHeld(LOCK)).isTrue();
        try (Lease next = fleet.call(() -> other.acquire(X.waitTime(Duration.ofSeconds(5))))) {
            assertThat(next.isHeld()).isTrue();
            assertThat(fleet.since(acquired)).as("until its lease ended").isGreaterThan(Duration.ofMillis(1_900));
        }
        fleet.assertNothingLeft();
    }
}
