package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockScope;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lock as a {@code java.util.concurrent.locks.Lock}, and the reusable mutex of one scope. */
@SuppressWarnings("LockNotBeforeTry") // what becomes of a lock that is not given back is tested
public abstract class MutexScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "x.global";

    protected LockTemplate template;
    protected DistributedMutex mutex;
    protected LockTemplate other;
    protected DistributedMutex elsewhere;

    @BeforeEach
    void start() {
        template = fleet.start();
        mutex = template.mutex(X);
        other = fleet.start();
        elsewhere = other.mutex(X);
    }

    @Test
    void oneProcessHoldsItAtATime() throws Exception {
        mutex.lock();
        assertThat(elsewhere.tryLock()).isFalse();
        assertThat(elsewhere.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(fleet.call(() -> elsewhere.tryLock(100, TimeUnit.MILLISECONDS)))
                .isFalse();
        mutex.lock();
        mutex.unlock();
        assertThat(elsewhere.tryLock()).as("it was taken twice").isFalse();
        Future<Long> next = fleet.begin(() -> {
            elsewhere.lock();
            try {
                return elsewhere.lease().orElseThrow().fencingToken();
            } finally {
                elsewhere.unlock();
            }
        });
        fleet.awaitWaiting(LOCK, 1);
        long token = mutex.lease().orElseThrow().fencingToken();
        mutex.unlock();
        assertThat(fleet.get(next)).isGreaterThan(token);
        assertThat(elsewhere.tryLock()).isTrue();
        elsewhere.unlock();
        fleet.assertNothingLeft();
    }

    @Test
    void mutexAndTemplateAreTheSameLock() {
        mutex.lock();
        try (Lease inner = template.acquire(X)) {
            assertThat(inner.fencingToken())
                    .isEqualTo(mutex.lease().orElseThrow().fencingToken());
        }
        assertThat(elsewhere.tryLock()).isFalse();
        mutex.unlock();
    }

    @Test
    void unlockOfALostLeaseIsIllegal() {
        mutex.lock();
        fleet.delete(LOCK);

        assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasCauseInstanceOf(LockLostException.class);
        mutex.lock();
        mutex.unlock();
    }

    @Test
    void scopeIsAMutexForEveryKey() {
        LockScope access = template.scope("server_access")
                .expire(Duration.ofSeconds(10))
                .recheck(Duration.ofSeconds(1))
                .waitTime(Duration.ofSeconds(5));
        LockScope apart = other.scope("server_access");
        String done = access.execute(42, lease -> {
            assertThat(lease.names()).containsExactly("server_access.42");
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
            assertThat(apart.tryAcquire(42)).isEmpty();
            apart.executeWithoutResult(
                    43, held -> assertThat(held.isHeld()).isTrue());
            return "done";
        });
        assertThat(done).isEqualTo("done");
        assertThat(apart.mutex(42).tryLock()).isTrue();
        assertThat(template.withNamespace("orders").scope("server_access").tryAcquire(42))
                .as("another namespace")
                .isPresent();
    }
}
