package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockListener;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurrentLocksTests {

    private final ManualTime time = new ManualTime();
    private final CurrentLocks locks = new CurrentLocks(time);

    /** Two threads of one chosen owner: the second acquires again after the lock of the first is lost. */
    @Test
    void lockIsHeldSinceItsLastGrant() {
        LockListener.Request request =
                new LockListener.Request(1, "", List.of("account.42"), "account", "i:t1", "web-3");
        locks.asked(new LockListener.Asked(request));
        time.advance(Duration.ofMinutes(5));
        assertThat(locks.longestWait()).isEqualTo(Duration.ofMinutes(5));

        locks.granted(new LockListener.Granted(request, 7, Duration.ZERO, true, 1, null));
        time.advance(Duration.ofSeconds(2));
        assertThat(locks.longestHold()).isEqualTo(Duration.ofSeconds(2));
        assertThat(locks.longestWait()).isZero();
    }

    @Test
    void requestAtAConditionNeitherHoldsNorWaits() {
        LockListener.Request request =
                new LockListener.Request(2, "", List.of("account.42"), "account", "i:t1", "web-3");
        locks.awaiting(new LockListener.Awaiting(request, "notEmpty"));
        time.advance(Duration.ofSeconds(3));
        assertThat(locks.atConditions())
                .containsExactly(new CurrentLocks.AtCondition(request, "notEmpty", Duration.ofSeconds(3)));
        assertThat(locks.held()).isEmpty();
        assertThat(locks.waiting()).isEmpty();
        assertThat(locks.waitingCount()).isZero();
        assertThat(locks.longestWait()).isZero();

        locks.asked(new LockListener.Asked(request));
        locks.granted(new LockListener.Granted(request, 7, Duration.ZERO, true, 1, null));
        assertThat(locks.atConditions()).isEmpty();
        assertThat(locks.held()).hasSize(1);
    }
}
