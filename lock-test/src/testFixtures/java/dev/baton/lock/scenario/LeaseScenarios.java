package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can be done with a lease: take it again, keep it longer than the work, hold a thousand of them. */
public abstract class LeaseScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));
    private static final String LOCK = "x.global";

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start();
        other = fleet.start();
    }

    @Test
    void leaseThatIsStillHeldIsExtendedAndNotTakenAgain() {
        Lease lease = one.acquire(LockRequest.of("x").expire(Duration.ofSeconds(1)));
        assertThat(lease.renewOrReacquire(Duration.ofSeconds(30))).containsSame(lease);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(25));
        fleet.pass(Duration.ofMillis(1_500));
        assertThat(other.tryAcquire(X))
                .as("extended for other processes, too")
                .isEmpty();
        assertThat(lease.release()).isTrue();
    }

    @Test
    void expiredLeaseIsTakenAgainWithANewToken() throws Exception {
        Lease lease = one.acquire(LockRequest.of("x").expire(Duration.ofMillis(500)));
        fleet.until(Duration.ofSeconds(10), lease::isExpired);
        Lease fresh =
                fleet.call(() -> lease.renewOrReacquire(Duration.ofSeconds(20))).orElseThrow();
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(fresh.owner()).isEqualTo(lease.owner());
        assertThat(other.tryAcquire(X)).isEmpty();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        assertThat(fresh.isHeld()).as("the old one took nothing with it").isTrue();
        assertThat(fresh.release()).isTrue();
        assertThat(other.tryAcquire(X)).hasValueSatisfying(Lease::close);
    }

    @Test
    void lostLeaseThatAnotherHoldsIsNotTakenAgain() throws Exception {
        Lease lease = one.acquire(X);
        fleet.delete(LOCK);
        Lease next = other.acquire(X);
        assertThat(fleet.call(() -> lease.renewOrReacquire(Duration.ofSeconds(20))))
                .isEmpty();
        assertThat(next.isHeld()).isTrue();
        assertThat(next.release()).isTrue();
    }

    @Test
    void releasedLeaseIsNotTakenAgain() {
        Lease lease = one.acquire(X);
        lease.close();
        assertThatThrownBy(() -> lease.renewOrReacquire(Duration.ofSeconds(20)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(LOCK);
        fleet.assertNothingLeft();
    }

    @Test
    void lockIsKeptFromOthersForAtLeastSoLong() throws Exception {
        Duration least = Duration.ofSeconds(2);
        long grantedAt = fleet.nanoTime();
        Lease lease = one.acquire(X.holdAtLeast(least));
        long before = fleet.nanoTime();
        assertThat(fleet.call(lease::release)).isTrue();
        assertThat(fleet.since(before)).as("the release does not wait").isLessThan(Duration.ofMillis(1_500));
        assertThat(lease.isHeld()).isFalse();
        assertThat(fleet.isHeld(LOCK)).isTrue();
        assertThat(one.tryAcquire(X)).as("not even its owner").isEmpty();

        Lease next = fleet.call(() -> other.acquire(X.waitTime(Duration.ofSeconds(8))));
        assertThat(fleet.since(grantedAt))
                .as("one recheck later at the latest, and one second for a busy machine")
                .isBetween(least.minusMillis(5), least.plusSeconds(2));
        assertThat(next.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void lockThatWasHeldLongEnoughIsFreeAtOnce() {
        Lease lease = one.acquire(X.holdAtLeast(Duration.ofMillis(50)));
        fleet.pass(Duration.ofMillis(60));
        assertThat(lease.release()).isTrue();
        assertThat(other.tryAcquire(X)).hasValueSatisfying(Lease::close);
    }

    @Test
    void longerHoldOfAReentryIsKept() throws Exception {
        Duration least = Duration.ofSeconds(2);
        Lease outer = one.acquire(X);
        long enteredAt = fleet.nanoTime();
        Lease inner = one.acquire(LockRequest.of("x").holdAtLeast(least));
        inner.close();
        outer.close();
        assertThat(other.tryAcquire(X)).isEmpty();
        // the lease would keep it for longer
        Lease next = fleet.call(() -> other.acquire(X.waitTime(Duration.ofSeconds(8))));
        assertThat(fleet.since(enteredAt)).isGreaterThanOrEqualTo(least.minusMillis(5));
        assertThat(next.release()).isTrue();
    }

    @Test
    void holdLongerThanTheDefaultLeaseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.acquire(LockRequest.of("x").holdAtLeast(Duration.ofSeconds(31))))
                .withMessageContaining("holdAtLeast 31000 ms of lock 'x.global' is longer than its lease of 30000 ms")
                .withMessageContaining("baton.expire");
        assertThat(fleet.isHeld(LOCK)).isFalse();
    }

    @Test
    void attemptsTellHowOftenItWasAskedFor() throws Exception {
        LockTemplate impatient = fleet.start(builder -> builder.recheck(Duration.ofMillis(100)));
        Lease lease = one.acquire(X);
        assertThat(lease.attempts()).isEqualTo(1);
        long asked = fleet.nanoTime();
        Future<Lease> waiter = fleet.begin(() -> impatient.acquire(X.waitUnbounded()));
        // from its first answer on
        fleet.until(Duration.ofSeconds(10), () -> EngineCounters.awaitedNames(impatient) == 1);
        fleet.pass(Duration.ofMillis(500));
        lease.close();
        fleet.until(Duration.ofSeconds(5), waiter::isDone);
        Lease waited = fleet.get(waiter);
        // a poll comes after a random pause of at least 1 ms, a recheck after most of its interval
        Duration pause = Duration.ofMillis(fleet.strategy() == WaitStrategy.POLLING ? 1 : 80);
        int possible = 3 + (int) fleet.since(asked).dividedBy(pause);
        assertThat(waited.attempts()).isBetween(2, possible);
        assertThat(waited.contended()).isTrue();
        assertThat(waited.waited()).isGreaterThan(Duration.ofMillis(400));
        waited.close();
    }

    @Test
    void thousandLeasesAreRenewed() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            leases.add(one.acquire(
                    LockRequest.of("many", i).expire(Duration.ofSeconds(4)).renew(Renewal.ALWAYS)));
        }
        letThousandLeasesBeRenewed();
        assertThat(leases).allMatch(Lease::isHeld);
        Optional<Lease> lost = leases.stream().filter(lease -> !lease.release()).findAny();
        assertThat(lost).isEmpty();
    }

    /** Returns when each of the thousand leases has been renewed at least three times. */
    protected void letThousandLeasesBeRenewed() {
        fleet.pass(Duration.ofMillis(5_400));
    }
}
