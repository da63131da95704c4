package dev.baton.lock.support;

import static dev.baton.lock.support.TestEngine.busy;
import static dev.baton.lock.support.TestEngine.ended;
import static dev.baton.lock.support.TestEngine.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the contract of {@code java.util.concurrent.locks.Lock} on a store that the test answers for. */
@SuppressWarnings("LockNotBeforeTry") // some tests do not release the lock on purpose
class DistributedMutexTests {

    private static final LockRequest REQUEST = LockRequest.of("x");

    private final FakeLockStore store = new FakeLockStore();
    private final LockTemplate template = LockTemplate.builder(store)
            .waitTime(WaitTime.of(Duration.ofMillis(20)))
            .shutdownAwait(Duration.ZERO)
            .commandTimeout(Duration.ofSeconds(5))
            .recheck(Duration.ofHours(1))
            .build();
    private final DistributedMutex mutex = template.mutex(REQUEST);

    @AfterEach
    void stop() {
        // not the stop of the template, which would wait for commands that these tests leave unanswered
        template.engine().executors().stop();
    }

    @Test
    void waitTimeOfTheRequestBoundsLock() {
        DistributedMutex bounded = template.mutex(REQUEST.waitTime(Duration.ofSeconds(1)));
        CompletableFuture<Void> answering =
                CompletableFuture.runAsync(() -> store.nextAcquire().answer(busy(6)));

        assertThatThrownBy(bounded::lock).isInstanceOf(LockTimeoutException.class);
        TestEngine.get(answering);
    }

    @Test
    void timedTryIsFalseWhenItsTimeEnds() throws Exception {
        CompletableFuture<Void> answering =
                CompletableFuture.runAsync(() -> store.nextAcquire().answer(busy(6)));

        assertThat(mutex.tryLock(60, TimeUnit.MILLISECONDS)).isFalse();
        TestEngine.get(answering);
        assertThat(mutex.getHoldCount()).isZero();
    }

    @Test
    void timedTryIsFalseIfTheStoreIsTooSlow() throws Exception {
        assertThat(mutex.tryLock(40, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(mutex.tryLock(1, TimeUnit.NANOSECONDS)).isFalse();
        store.nextEnd();
        store.nextEnd();
        assertThat(mutex.getHoldCount()).isZero();
    }

    @Test
    void refusalFailsATimedTry() {
        CompletableFuture<Void> refusing =
                CompletableFuture.runAsync(() -> store.nextAcquire().fail(TestEngine.refusal()));

        assertThatThrownBy(() -> mutex.tryLock(1, TimeUnit.HOURS)).isInstanceOf(LockStoreException.class);
        TestEngine.get(refusing);
    }

    @Test
    void longestTimeIsAccepted() throws Exception {
        answerNext(granted(7));

        assertThat(mutex.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
    }

    @Test
    void unreachableStoreFailsATry() {
        CompletableFuture<Void> failing =
                CompletableFuture.runAsync(() -> store.nextAcquire().fail(TestEngine.passing()));

        assertThatThrownBy(mutex::tryLock).isInstanceOf(LockStoreException.class);
        TestEngine.get(failing);
    }

    @Test
    void threadReleasesTheMutexAsOftenAsItAcquiredIt() throws Exception {
        answerNext(granted(7));
        mutex.lock();
        mutex.lockInterruptibly();
        assertThat(mutex.tryLock()).isTrue();
        assertThat(mutex.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(mutex.getHoldCount()).isEqualTo(4);
        assertThat(mutex.lease()).get().returns(7L, lease -> lease.fencingToken());
        mutex.unlock();
        mutex.unlock();
        mutex.unlock();
        assertThat(store.ends).isEmpty();
        CompletableFuture<Void> answering =
                CompletableFuture.runAsync(() -> store.nextEnd().answer(ended(Role.HOLDER)));
        mutex.unlock();

        TestEngine.get(answering);
        assertThat(mutex.getHoldCount()).isZero();
        assertThat(mutex.lease()).isEmpty();
        assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasNoCause();
    }

    @Test
    void onlyTheHoldingThreadMayUnlock() {
        answerNext(granted(7));
        mutex.lock();

        CompletableFuture<Void> other = CompletableFuture.runAsync(mutex::unlock);
        assertThat(other)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalMonitorStateException.class)
                .withMessageContaining("is not held by thread");
        assertThat(mutex.getHoldCount()).isEqualTo(1);
        assertThat(store.ends).isEmpty();
    }

    @Test
    void unlockOfALostLeaseReportsTheLoss() {
        answerNext(granted(7));
        mutex.lock();
        mutex.lock();
        CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> {
            var renewal = store.nextRenewal();
            renewal.answer(List.of(renewal.command().renewals().get(0).names()));
        });
        assertThat(mutex.lease().orElseThrow().renew()).isFalse();
        TestEngine.get(answering);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(mutex::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasCauseInstanceOf(LockLostException.class)
                    .hasMessageContaining("is no longer held by thread");
        }
        assertThat(mutex.getHoldCount()).isZero();
    }

    @Test
    void conditionsNeedTheMutex() {
        assertThatThrownBy(mutex.newCondition()::signal)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("lock 'x.global' is not held by thread")
                .hasMessageContaining("condition 'default'");
        assertThatThrownBy(() -> mutex.condition("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("condition 'a b' is invalid");
    }

    @Test
    void ownersAreRefused() {
        LockRequest owned = REQUEST.owner("connection-7");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.mutex(owned))
                .withMessageContaining("belongs to the thread that acquires it, not to owner 'connection-7'");
    }

    @Test
    void textNamesTheHolder() {
        assertThat(mutex).hasToString("DistributedMutex 'x.global' (not taken by this process)");
        answerNext(granted(7));
        mutex.lock();
        assertThat(mutex)
                .hasToString("DistributedMutex 'x.global' (taken by thread '"
                        + Thread.currentThread().getName() + "')");
    }

    private void answerNext(AcquireReply reply) {
        CompletableFuture.runAsync(() -> store.nextAcquire().answer(reply));
    }
}
