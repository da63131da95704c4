package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Asking whether a lease is still ours, before something that cannot be taken back. */
public abstract class VerifyScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));
    private static final String LOCK = "x.global";

    protected LockTemplate template;

    @BeforeEach
    void start() {
        template = fleet.start();
    }

    @Test
    void heldLeaseIsFoundHeldAndNotExtended() throws Exception {
        Lease lease = template.acquire(X);
        fleet.pass(Duration.ofMillis(100));
        Duration before = lease.remaining();
        lease.verify();
        fleet.get(lease.verifyAsync().toCompletableFuture());
        assertThat(lease.remaining()).isLessThanOrEqualTo(before);
        assertThat(lease.release()).isTrue();
    }

    @Test
    void deletedLockIsFound() {
        Lease lease = template.acquire(X);
        fleet.delete(LOCK);
        assertThat(lease.isHeld()).as("what is known without asking").isTrue();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lease::verify);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lease::verify);
        assertThat(lease.isExpired()).isTrue();
    }

    @Test
    void deletedLockIsFoundWithoutWaiting() {
        Lease lease = template.acquire(X);
        fleet.delete(LOCK);
        Future<?> asked = lease.verifyAsync().toCompletableFuture();
        fleet.until(Duration.ofSeconds(5), asked::isDone);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> fleet.get(asked));
    }

    @Test
    void interruptIsKeptAndDoesNotHideALoss() {
        Lease lease = template.acquire(X);
        fleet.delete(LOCK);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lease::verify);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void releasedLeaseAndOneWhoseLossIsOnlyLoggedAreNotAskedFor() {
        Lease released = template.acquire(X);
        released.close();
        assertThatCode(released::verify).doesNotThrowAnyException();
        Lease logged = template.acquire(X.onLost(OnLost.LOG));
        fleet.delete(LOCK);
        assertThatCode(logged::verify).doesNotThrowAnyException();
    }
}
