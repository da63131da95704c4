package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedCondition;
import dev.baton.lock.DistributedMutex;
import dev.baton.lock.LockRequest;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A test for each sentence of {@link Condition}, named as in the tests of JSR 166; and for each row of what redis-em-mutex
 * has: sleep, wakeup and ConditionVariable.
 */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop", "JavaUtilDate"}) // what one wait does is tested
public abstract class JavaConditionScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("k", "a");

    private DistributedMutex lock;
    private DistributedMutex elsewhere;
    private LockTemplate other;

    @BeforeEach
    void start() {
        lock = fleet.start().mutex(X);
        other = fleet.start();
        elsewhere = other.mutex(X);
    }

    /** A way to wait. Returns what it returns. */
    private interface Await {
        Object on(Condition condition) throws InterruptedException;
    }

    private static final List<Await> INTERRUPTIBLE = List.of(
            condition -> {
                condition.await();
                return "await";
            },
            condition -> condition.await(50, TimeUnit.SECONDS),
            condition -> condition.awaitNanos(TimeUnit.SECONDS.toNanos(50)),
            condition -> condition.awaitUntil(new Date(System.currentTimeMillis() + 50_000)));

    private Future<Object> waits(DistributedMutex mutex, Await await) {
        return fleet.begin(() -> {
            mutex.lock();
            try {
                return await.on(mutex.newCondition());
            } finally {
                mutex.unlock();
            }
        });
    }

    private void signal() {
        elsewhere.lock();
        elsewhere.newCondition().signal();
        elsewhere.unlock();
    }

    @Test
    void testAwait_IMSE() {
        for (Await await : INTERRUPTIBLE) {
            assertThatThrownBy(() -> await.on(lock.newCondition())).isInstanceOf(IllegalMonitorStateException.class);
        }
        assertThatThrownBy(() -> lock.newCondition().awaitUninterruptibly())
                .isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void testSignal_IMSE() {
        assertThatThrownBy(() -> lock.newCondition().signal()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void testSignalAll_IMSE() {
        assertThatThrownBy(() -> lock.newCondition().signalAll()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void testSignalByAThreadThatDoesNotHoldTheLockItself() throws Exception {
        lock.lock();
        assertThatThrownBy(() -> fleet.call(() -> {
                    lock.newCondition().signal();
                    return "";
                }))
                .isInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
    }

    @Test
    void testAwaitNanos_Timeout() throws Exception {
        long left = (Long) fleet.get(waits(lock, condition -> condition.awaitNanos(TimeUnit.MILLISECONDS.toNanos(400))));
        assertThat(left).isLessThanOrEqualTo(0);
    }

    @Test
    void testAwaitNanos_NotPositive() throws Exception {
        assertThat((Long) fleet.get(waits(lock, condition -> condition.awaitNanos(0)))).isLessThanOrEqualTo(0);
        assertThat((Long) fleet.get(waits(lock, condition -> condition.awaitNanos(Long.MIN_VALUE / 2))))
                .isLessThanOrEqualTo(0);
    }

    @Test
    void testAwait_Timeout() throws Exception {
        assertThat(fleet.get(waits(lock, condition -> condition.await(400, TimeUnit.MILLISECONDS))))
                .isEqualTo(false);
    }

    @Test
    void testAwaitUntil_Timeout() throws Exception {
        assertThat(fleet.get(waits(lock, condition -> condition.awaitUntil(new Date(System.currentTimeMillis() + 400)))))
                .isEqualTo(false);
        assertThat(fleet.get(waits(lock, condition -> condition.awaitUntil(new Date(0))))).isEqualTo(false);
    }

    @Test
    void testAwaitReturnsWhenSignalled() throws Exception {
        List<Object> results = new ArrayList<>();
        for (Await await : INTERRUPTIBLE) {
            Future<Object> waiter = waits(lock, await);
            fleet.awaitAwaiting(1);
            signal();
            results.add(fleet.get(waiter));
        }
        assertThat(results.get(1)).isEqualTo(true);
        assertThat((Long) results.get(2)).isPositive();
        assertThat(results.get(3)).isEqualTo(true);
        fleet.assertNothingLeft();
    }

    @Test
    void testAwaitReacquiresTheLockBeforeItReturns() throws Exception {
        Future<Object> waiter = waits(lock, condition -> {
            condition.await();
            return lock.lease().orElseThrow().isHeld();
        });
        fleet.awaitAwaiting(1);
        elsewhere.lock();
        elsewhere.newCondition().signal();
        fleet.pass(Duration.ofMillis(300));
        assertThat(waiter.isDone()).as("the signaller still has the lock").isFalse();
        elsewhere.unlock();
        assertThat(fleet.get(waiter)).isEqualTo(true);
    }

    @Test
    void testAwait_Interrupt() throws Exception {
        for (Await await : INTERRUPTIBLE) {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            Future<Object> waiter = waits(lock, condition -> {
                thread.complete(Thread.currentThread());
                assertThatThrownBy(() -> await.on(condition)).isInstanceOf(InterruptedException.class);
                return !Thread.interrupted() && lock.lease().orElseThrow().isHeld();
            });
            fleet.awaitAwaiting(1);
            fleet.get(thread).interrupt();
            assertThat(fleet.get(waiter)).as("status cleared, lock held").isEqualTo(true);
        }
        fleet.assertNothingLeft();
    }

    @Test
    void testAwait_InterruptedOnEntry() throws Exception {
        for (Await await : INTERRUPTIBLE) {
            assertThat(fleet.get(waits(lock, condition -> {
                        Thread.currentThread().interrupt();
                        assertThatThrownBy(() -> await.on(condition)).isInstanceOf(InterruptedException.class);
                        return !Thread.interrupted() && lock.lease().orElseThrow().isHeld();
                    })))
                    .isEqualTo(true);
        }
    }

    @Test
    void testAwaitUninterruptibly() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<Object> waiter = waits(lock, condition -> {
            Thread.currentThread().interrupt();
            thread.complete(Thread.currentThread());
            condition.awaitUninterruptibly();
            return Thread.interrupted();
        });
        fleet.awaitAwaiting(1);
        fleet.get(thread).interrupt();
        fleet.pass(Duration.ofMillis(300));
        assertThat(waiter.isDone()).isFalse();
        signal();
        assertThat(fleet.get(waiter)).as("its interrupted status is still set").isEqualTo(true);
    }

    @Test
    void testSignalWakesOneWaiterInFifoOrder() throws Exception {
        Future<Object> first = waits(lock, INTERRUPTIBLE.get(0));
        fleet.awaitAwaiting(1);
        Future<Object> second = waits(elsewhere, INTERRUPTIBLE.get(0));
        fleet.awaitAwaiting(2);
        signal();
        fleet.get(first);
        fleet.pass(Duration.ofMillis(300));
        assertThat(second.isDone()).isFalse();
        signal();
        fleet.get(second);
    }

    @Test
    void testSignalAll() throws Exception {
        Future<Object> first = waits(lock, INTERRUPTIBLE.get(0));
        fleet.awaitAwaiting(1);
        Future<Object> second = waits(elsewhere, INTERRUPTIBLE.get(1));
        fleet.awaitAwaiting(2);
        elsewhere.lock();
        elsewhere.newCondition().signalAll();
        elsewhere.unlock();
        fleet.get(first);
        assertThat(fleet.get(second)).isEqualTo(true);
        fleet.assertNothingLeft();
    }

    @Test
    void testAwaitLockCount() throws Exception {
        Future<Object> once = waits(lock, condition -> {
            condition.await();
            return lock.getHoldCount();
        });
        fleet.awaitAwaiting(1);
        Future<Object> twice = waits(elsewhere, condition -> {
            elsewhere.lock();
            condition.await();
            int count = elsewhere.getHoldCount();
            elsewhere.unlock();
            return count;
        });
        fleet.awaitAwaiting(2);
        elsewhere.lock();
        elsewhere.newCondition().signalAll();
        elsewhere.unlock();
        assertThat(fleet.get(once)).isEqualTo(1);
        assertThat(fleet.get(twice)).isEqualTo(2);
        fleet.assertNothingLeft();
    }

    @Test
    void testConditionsOfOneLockAreIndependent() throws Exception {
        Future<Object> waiter = waits(lock, condition -> {
            lock.condition("c").await();
            return true;
        });
        fleet.awaitAwaiting(1);
        signal();
        fleet.pass(Duration.ofMillis(300));
        assertThat(waiter.isDone()).isFalse();
        elsewhere.lock();
        elsewhere.condition("c").signal();
        elsewhere.unlock();
        assertThat(fleet.get(waiter)).isEqualTo(true);
    }

    /** redis-em-mutex: "Unlocks, sleeps until woken up, and locks again". */
    @Test
    void emMutexSleepUnlocksWaitsForWakeupAndLocksAgain() throws Exception {
        Future<Object> sleeper = waits(lock, condition -> {
            condition.await();
            return lock.lease().orElseThrow();
        });
        fleet.awaitAwaiting(1);
        assertThat(elsewhere.tryLock()).as("unlocked").isTrue();
        elsewhere.newCondition().signal();
        elsewhere.unlock();
        assertThat(fleet.get(sleeper)).isNotNull();
    }

    @Test
    void emMutexSleepWithATimeReturnsHowLongItSlept() throws Exception {
        Future<Object> sleeper = waits(lock, condition -> {
            condition.await(2, TimeUnit.SECONDS);
            return lock.lease().orElseThrow().waited();
        });
        assertThat((Duration) fleet.get(sleeper))
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(2).plus(fleet.moment()));
    }

    @Test
    void emMutexSleepOfAMutexThatIsNotLockedIsAnError() {
        assertThatThrownBy(() -> lock.newCondition().await(1, TimeUnit.SECONDS))
                .isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void emMutexWakeupWakesOneSleeperWhetherTheMutexIsLockedOrNot() throws Exception {
        CompletableFuture<String> owner = new CompletableFuture<>();
        Future<Object> sleeper = waits(lock, condition -> {
            owner.complete(lock.lease().orElseThrow().owner());
            condition.await();
            return true;
        });
        fleet.awaitAwaiting(1);
        DistributedCondition condition = elsewhere.condition("default");
        condition.wakeUp("another fiber");
        fleet.pass(Duration.ofMillis(300));
        assertThat(sleeper.isDone()).as("no effect on a fiber that does not sleep").isFalse();
        condition.wakeUp(fleet.get(owner));
        assertThat(fleet.get(sleeper)).isEqualTo(true);
    }

    /** redis-em-mutex: in place of a Mutex for EventMachine::Synchrony::Thread::ConditionVariable. */
    @Test
    void emMutexConditionVariableWaitsAndSignals() throws Exception {
        Future<Object> waiter = waits(lock, INTERRUPTIBLE.get(0));
        fleet.awaitAwaiting(1);
        elsewhere.condition("default").signalUnchecked();
        fleet.get(waiter);
        fleet.assertNothingLeft();
    }

    @Test
    void emMutexConditionVariableBroadcastWakesAll() throws Exception {
        Future<Object> first = waits(lock, INTERRUPTIBLE.get(0));
        fleet.awaitAwaiting(1);
        Future<Object> second = waits(lock, INTERRUPTIBLE.get(0));
        fleet.awaitAwaiting(2);
        elsewhere.lock();
        elsewhere.newCondition().signalAll();
        elsewhere.unlock();
        fleet.get(first);
        fleet.get(second);
        fleet.assertNothingLeft();
    }
}
