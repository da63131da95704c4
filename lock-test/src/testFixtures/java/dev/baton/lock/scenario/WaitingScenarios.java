package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLimitException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ways to wait: up to a stall time, uninterruptibly, with a recheck of one's own, and how many requests may. */
public abstract class WaitingScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "x.global";

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        // a recheck that helps no waiter here
        one = fleet.start(builder -> builder.recheck(Duration.ofSeconds(30)));
        other = fleet.start(builder -> builder.recheck(Duration.ofSeconds(30)));
    }

    @Test
    void stuckHolderFailsEveryKindOfWaitAtTheStallTime() throws Exception {
        LockRequest stalls = X.waitUnbounded().stallTime(Duration.ofMillis(1_500));
        try (Lease lease = one.acquire(X)) {
            long start = fleet.nanoTime();
            LockTimeoutException ex = failureOf(() -> other.execute(stalls, Lease::isHeld));
            assertThat(ex.isStuck()).isTrue();
            assertThat(ex.holder()).get().returns(lease.fencingToken(), holder -> holder.fencingToken());
            assertThat(ex)
                    .hasMessageContaining("held by the same holder for")
                    .hasMessageContaining(Thread.currentThread().getName());
            assertThat(fleet.since(start))
                    .as("long before the next recheck")
                    .isBetween(Duration.ofMillis(1_500), Duration.ofSeconds(5));

            LockTimeoutException bounded = failureOf(() -> other.acquire(stalls.waitTime(Duration.ofSeconds(20))));
            assertThat(bounded.isStuck()).isTrue();
            LockTimeoutException sooner = failureOf(() -> other.acquire(stalls.waitTime(Duration.ofMillis(800))));
            assertThat(sooner.isStuck()).isFalse();
            assertThat(fleet.call(() -> other.tryAcquire(stalls))).isEmpty();
            assertThat(fleet.call(() -> other.tryExecute(stalls, held -> "done")))
                    .isInstanceOf(LockResult.Busy.class);
        }
        fleet.assertNothingLeft();
    }

    private LockTimeoutException failureOf(Task wait) {
        return catchThrowableOfType(
                LockTimeoutException.class,
                () -> fleet.call(() -> {
                    wait.run();
                    return true;
                }));
    }

    /** Something that waits. */
    private interface Task {

        void run() throws Exception;
    }

    @Test
    void interruptDoesNotEndAnUninterruptibleWait() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<Boolean> flag;
        try (Lease lease = one.acquire(X)) {
            flag = fleet.begin(() -> {
                thread.complete(Thread.currentThread());
                Thread.currentThread().interrupt();
                try (Lease own = other.acquire(X.waitUnbounded().interruptible(false))) {
                    return own.isHeld() && Thread.currentThread().isInterrupted();
                }
            });
            fleet.awaitWaiting(LOCK, 1);
            fleet.get(thread).interrupt();
            fleet.pass(Duration.ofMillis(100));
            assertThat(flag.isDone()).isFalse();
            assertThat(lease.release()).isTrue();
        }
        assertThat(fleet.get(flag)).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void requestWithAShortRecheckNoticesADeletedKeySooner() throws Exception {
        Lease lease = one.acquire(X.expire(Duration.ofSeconds(25)));
        Future<Boolean> waiter = fleet.begin(
                () -> other.execute(X.waitTime(Duration.ofSeconds(20)).recheck(Duration.ofMillis(100)), Lease::isHeld));
        fleet.awaitWaiting(LOCK, 1);
        long deleted = fleet.nanoTime();
        fleet.delete(LOCK);

        assertThat(fleet.get(waiter)).isTrue();
        assertThat(fleet.since(deleted)).isLessThan(Duration.ofSeconds(5));
        assertThat(lease.release()).isFalse();
    }

    @Test
    void oneWaiterTooManyIsRefusedAtOnce() throws Exception {
        LockTemplate small = fleet.start(builder -> builder.maxWaiters(1));
        try (Lease lease = one.acquire(X)) {
            Future<Boolean> waiter = fleet.begin(() -> small.execute(X.waitUnbounded(), Lease::isHeld));
            fleet.awaitWaiting(LOCK, 1);
            assertThatThrownBy(() -> small.acquire(X))
                    .isInstanceOf(LockLimitException.class)
                    .hasMessageContaining("1 requests of this process are already waiting for locks");
            assertThat(small.tryAcquire(X)).as("a try does not wait").isEmpty();
            assertThat(lease.release()).isTrue();
            assertThat(fleet.get(waiter)).isTrue();
            assertThat(fleet.call(() -> small.<Boolean, RuntimeException>execute(X, Lease::isHeld)))
                    .isTrue();
        }
    }
}
