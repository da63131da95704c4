package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A lease that ends before its holder is done. */
public abstract class LossScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "x.global";

    @Test
    void limitedLeaseEndsWhileTheHolderWorks() throws Exception {
        LockTemplate one = fleet.start();
        LockTemplate other = fleet.start();
        CountDownLatch told = new CountDownLatch(1);
        Lease lease = one.acquire(X.expire(Duration.ofSeconds(1)));
        lease.onLost(told::countDown);
        Lease next = fleet.call(() -> other.acquire(X.expire(Duration.ofSeconds(30))));
        // the next holder is granted it after the first one could know
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThat(lease.remaining()).isZero();
        fleet.until(Duration.ofSeconds(2), () -> told.getCount() == 0);
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThatThrownBy(lease::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("Lock 'x.global' was lost")
                .hasMessageContaining(Long.toString(lease.fencingToken()));
        assertThat(next.isHeld()).isTrue();
        assertThatCode(next::verify)
                .as("the close took nothing from the next holder")
                .doesNotThrowAnyException();
        next.close();
    }

    @Test
    void defaultLeaseIsRenewedBeyondItsLength() throws Exception {
        LockTemplate one = fleet.start(builder -> builder.expire(Duration.ofSeconds(3)));
        LockTemplate other = fleet.start();
        Lease lease = one.acquire(X);
        assertThat(fleet.call(() -> other.tryAcquire(X.waitTime(Duration.ofSeconds(7)))))
                .isEmpty();
        assertThat(lease.isHeld()).isTrue();
        lease.close();
        fleet.assertNothingLeft();
    }

    @Test
    void renewalStopsAtMaxHold() {
        LockTemplate template =
                fleet.start(builder -> builder.expire(Duration.ofSeconds(1)).maxHold(Duration.ofSeconds(2)));
        Lease lease = template.acquire(X);
        fleet.until(Duration.ofSeconds(6), () -> !lease.isHeld());
        assertThat(lease.isExpired()).isTrue();
    }

    @Test
    void deletedLockIsNoticedAtTheNextRenewal() {
        LockTemplate template = fleet.start(builder -> builder.expire(Duration.ofSeconds(6)));
        CountDownLatch told = new CountDownLatch(1);
        Lease lease = template.acquire(X);
        lease.onLost(told::countDown);
        fleet.delete(LOCK);
        // the second one comes after 4 s
        fleet.until(Duration.ofMillis(3_500), () -> told.getCount() == 0);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isFalse();
    }

    @Test
    void releaseAndRenewalOfAnOldLeaseLeaveTheNewHolderAlone() {
        LockTemplate one = fleet.start();
        LockTemplate other = fleet.start();
        Lease old = one.acquire(X.expire(Duration.ofSeconds(20)).renew(Renewal.NEVER));
        fleet.delete(LOCK);
        Lease next = other.acquire(X.expire(Duration.ofSeconds(20)));
        assertThat(old.renew()).isFalse();
        assertThat(old.isHeld()).isFalse();
        assertThatThrownBy(old::close).isInstanceOf(LockLostException.class);
        assertThat(next.renew()).isTrue();
        assertThat(next.release()).isTrue();
    }

    @Test
    void workThatLostItsLockHasItsResultInTheException() {
        LockTemplate template = fleet.start();
        assertThatThrownBy(() -> template.execute(X, lease -> {
                    fleet.delete(LOCK);
                    return "done";
                }))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        ex -> assertThat(ex.result()).isEqualTo("done"));
        assertThatThrownBy(() -> template.execute(X, lease -> {
                    fleet.delete(LOCK);
                    throw new IllegalStateException("work failed");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("work failed")
                .satisfies(ex -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
    }
}
