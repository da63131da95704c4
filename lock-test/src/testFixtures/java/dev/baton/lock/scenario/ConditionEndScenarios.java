package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LeaseCondition.Woken;
import dev.baton.lock.LeaseCondition;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** How waits at conditions end without a signal, and what has no conditions. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what one wait does is tested
public abstract class ConditionEndScenarios extends ConditionFixture {

    @Test
    void timedWaitEndsInTimeWithoutASignal() throws Exception {
        long began = fleet.nanoTime();
        Woken woken = fleet.call(() -> one.acquire(X).condition(EMPTY).await(Duration.ofSeconds(3)));
        assertThat(fleet.since(began)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(3).plus(fleet.moment()));
        assertThat(woken.inTime()).isFalse();
        assertThat(woken.left()).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(woken.lease().isHeld()).isTrue();
        assertThat(woken.lease().release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void timedWaitIsSignalledBeforeItsTime() throws Exception {
        Future<Woken> waiter = begin(() -> one.acquire(X).condition(EMPTY).await(Duration.ofSeconds(60)));
        awaitFree();
        signal(other, EMPTY);
        Woken woken = fleet.get(waiter, fleet.moment());
        assertThat(woken.inTime()).isTrue();
        assertThat(woken.left()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
        assertThat(woken.lease().release()).isTrue();
    }

    @Test
    void waitWithoutTimeLetsOthersHaveTheLock() throws Exception {
        Lease first = one.acquire(X);
        Future<Lease> next = begin(() -> other.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        Future<Woken> waiter = begin(() -> first.condition(EMPTY).await(Duration.ZERO));
        Lease second = fleet.get(next, fleet.moment());
        assertThat(waiter.isDone()).isFalse();
        assertThat(second.release()).isTrue();
        Woken woken = fleet.get(waiter, fleet.moment());
        assertThat(woken.inTime()).isFalse();
        assertThat(woken.lease().release()).isTrue();
    }

    /** C4. The time is over while the signaller holds the lock: whichever came first counts. */
    @Test
    void signalBeforeTheTimeIsOverCountsAlthoughTheLockComesLate() throws Exception {
        Future<Woken> waiter = begin(() -> one.acquire(X).condition(EMPTY).await(Duration.ofSeconds(2)));
        awaitFree();
        Lease signaller = other.acquire(X);
        signaller.condition(EMPTY).signal();
        fleet.pass(Duration.ofSeconds(3));
        assertThat(waiter.isDone()).isFalse();
        assertThat(signaller.release()).isTrue();
        Woken woken = fleet.get(waiter, fleet.moment());
        assertThat(woken.inTime()).as("signalled").isTrue();
        assertThat(woken.left()).isNegative();
        assertThat(woken.lease().release()).isTrue();
    }

    @Test
    void signalAfterTheTimeIsOverGoesToTheNext() throws Exception {
        Future<Woken> late = begin(() -> one.acquire(X).condition(EMPTY).await(Duration.ofSeconds(2)));
        awaitFree();
        Future<Woken> next = begin(() -> one.acquire(X).condition(EMPTY).await(Duration.ofSeconds(60)));
        awaitAwaiting(2);
        Lease signaller = other.acquire(X);
        fleet.pass(Duration.ofSeconds(3));
        signaller.condition(EMPTY).signal();
        assertThat(signaller.release()).isTrue();
        Woken first = fleet.get(late, fleet.moment());
        assertThat(first.inTime()).isFalse();
        assertThat(first.lease().release()).isTrue();
        Woken second = fleet.get(next, fleet.moment());
        assertThat(second.inTime()).isTrue();
        assertThat(second.lease().release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void interruptEndsTheWaitWithTheLockHeld() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<Boolean> waiter = begin(() -> {
            try (Lease lease = one.acquire(X)) {
                thread.complete(Thread.currentThread());
                assertThatThrownBy(() -> lease.condition(EMPTY).await()).isInstanceOf(InterruptedException.class);
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                return lease.present().isHeld();
            }
        });
        awaitFree();
        fleet.get(thread).interrupt();
        assertThat(fleet.get(waiter, fleet.moment())).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void interruptAfterASignalIsKept() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<Boolean> waiter = begin(() -> {
            try (Lease lease = one.acquire(X)) {
                thread.complete(Thread.currentThread());
                Lease now = lease.condition(EMPTY).await();
                return Thread.interrupted() && now.isHeld();
            }
        });
        awaitFree();
        Lease signaller = other.acquire(X);
        signaller.condition(EMPTY).signal();
        fleet.get(thread).interrupt();
        fleet.pass(Duration.ofSeconds(1));
        assertThat(waiter.isDone()).as("the lock is held").isFalse();
        assertThat(signaller.release()).isTrue();
        assertThat(fleet.get(waiter, fleet.moment())).isTrue();
    }

    @Test
    void signalAfterAnInterruptGoesToTheNext() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<Boolean> interrupted = begin(() -> {
            try (Lease lease = one.acquire(X)) {
                thread.complete(Thread.currentThread());
                assertThatThrownBy(() -> lease.condition(EMPTY).await()).isInstanceOf(InterruptedException.class);
                return lease.present().isHeld();
            }
        });
        awaitFree();
        Future<Boolean> next = awaiting(other, EMPTY);
        awaitAwaiting(2);
        Lease signaller = other.acquire(X);
        fleet.get(thread).interrupt();
        awaitAwaiting(1);
        signaller.condition(EMPTY).signal();
        assertThat(signaller.release()).isTrue();
        assertThat(fleet.get(interrupted)).isTrue();
        assertThat(fleet.get(next)).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void interruptDoesNotEndAnUninterruptibleWait() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<Boolean> waiter = begin(() -> {
            try (Lease lease = one.acquire(X)) {
                thread.complete(Thread.currentThread());
                return lease.condition(EMPTY).awaitUninterruptibly().isHeld() && Thread.interrupted();
            }
        });
        awaitFree();
        fleet.get(thread).interrupt();
        fleet.pass(Duration.ofSeconds(1));
        assertThat(waiter.isDone()).isFalse();
        signal(other, EMPTY);
        assertThat(fleet.get(waiter, fleet.moment())).isTrue();
    }

    @Test
    void interruptBeforeTheWaitKeepsTheLease() throws Exception {
        boolean held = fleet.call(() -> {
            try (Lease lease = one.acquire(X)) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> lease.condition(EMPTY).await()).isInstanceOf(InterruptedException.class);
                return lease.isHeld() && lease.present() == lease;
            }
        });
        assertThat(held).isTrue();
    }

    @Test
    void lockThatDoesNotComeBackInTimeIsNotHeld() throws Exception {
        CompletableFuture<Lease> held = new CompletableFuture<>();
        Future<Boolean> waiter = begin(() -> {
            DistributedMutex mutex = one.mutex(X.waitTime(Duration.ofSeconds(2)));
            mutex.lock();
            mutex.lock();
            try {
                held.complete(mutex.lease().orElseThrow());
                assertThatThrownBy(() -> mutex.newCondition().await()).isInstanceOf(LockTimeoutException.class);
                return mutex.lease().orElseThrow().isHeld();
            } finally {
                mutex.unlock();
                mutex.unlock();
            }
        });
        awaitFree();
        Lease busy = other.acquire(X.expire(Duration.ofMinutes(2)));
        busy.condition(LeaseCondition.DEFAULT).signal();
        assertThat(fleet.get(waiter)).isFalse();
        assertThat(fleet.get(held).release()).isFalse();
        assertThat(busy.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void listenersHearOfAWaitFromItsBeginningToItsEnd() throws Exception {
        Recorder recorder = new Recorder();
        LockTemplate heard = fleet.start(builder -> builder.listener(recorder));
        Future<Woken> waiter = begin(() -> heard.acquire(X).condition(EMPTY).await(Duration.ofSeconds(60)));
        awaitFree();
        signal(other, EMPTY);
        assertThat(fleet.get(waiter, fleet.moment()).lease().release()).isTrue();
        assertThat(recorder.events)
                .containsExactly(
                        "asked 0", "granted 0", "released 0", "awaiting notEmpty 1", "asked 1", "granted 1", "released 1");
    }

    @Test
    void listenersHearOfALockThatDoesNotComeBack() throws Exception {
        Recorder recorder = new Recorder();
        LockTemplate heard = fleet.start(builder -> builder.listener(recorder));
        Future<Boolean> waiter = begin(() -> {
            LeaseCondition condition = heard.acquire(X).condition(EMPTY).waitTime(WaitTime.of(Duration.ofSeconds(1)));
            assertThatThrownBy(() -> condition.await(Duration.ofSeconds(60))).isInstanceOf(LockTimeoutException.class);
            return true;
        });
        awaitFree();
        Lease busy = other.acquire(X.expire(Duration.ofMinutes(2)));
        busy.condition(EMPTY).signal();
        assertThat(fleet.get(waiter)).isTrue();
        assertThat(recorder.events)
                .containsExactly("asked 0", "granted 0", "released 0", "awaiting notEmpty 1", "asked 1", "timed out 1");
        assertThat(busy.release()).isTrue();
    }

    /** C1. */
    @Test
    void signalOfAWaiterThatGivesUpGoesToTheNext() throws Exception {
        Future<Boolean> impatient = begin(() -> {
            try (Lease lease = one.acquire(X)) {
                LeaseCondition condition = lease.condition(EMPTY).waitTime(WaitTime.of(Duration.ofSeconds(1)));
                assertThatThrownBy(() -> condition.await(Duration.ofSeconds(30))).isInstanceOf(LockTimeoutException.class);
                return true;
            }
        });
        awaitAwaiting(1);
        Future<Boolean> next = awaiting(other, EMPTY);
        awaitAwaiting(2);
        Lease signaller = other.acquire(X.expire(Duration.ofMinutes(2)));
        signaller.condition(EMPTY).signal();
        assertThat(fleet.get(impatient)).isTrue();
        assertThat(next.isDone()).isFalse();
        assertThat(signaller.release()).isTrue();
        assertThat(fleet.get(next)).as("the signal was passed on").isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void conditionsNeedALeaseThatIsHeld() throws Exception {
        Lease lease = one.acquire(X);
        LeaseCondition condition = lease.condition(EMPTY);
        assertThat(condition.name()).isEqualTo(EMPTY);
        lease.release();
        assertThatThrownBy(condition::await).isInstanceOf(IllegalMonitorStateException.class).hasNoCause();
        assertThatThrownBy(condition::signal).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(condition::signalAll).isInstanceOf(IllegalMonitorStateException.class);
        condition.signalUnchecked();
        condition.wakeUp("nobody");
        Condition other = one.mutex(X).newCondition();
        assertThatThrownBy(other::await).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(other::signal).isInstanceOf(IllegalMonitorStateException.class);
        fleet.assertNothingLeft();
    }

    @Test
    void lostLeaseHasNoConditions() throws Exception {
        Lease lease = one.acquire(X);
        fleet.delete(LOCK);
        assertThatThrownBy(() -> lease.condition(EMPTY).signal()).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> fleet.call(() -> lease.condition(EMPTY).await()))
                .isInstanceOf(LockLostException.class);
        assertThat(lease.release()).as("nothing is left to release").isFalse();
        lease.close();
        fleet.assertNothingLeft();
    }

    @Test
    void readersHaveNoConditions() throws Exception {
        try (Lease reader = one.acquire(X.mode(LockMode.SHARED))) {
            LeaseCondition condition = reader.condition(EMPTY);
            assertThatThrownBy(condition::await).isInstanceOf(IllegalMonitorStateException.class);
            assertThatThrownBy(condition::signal).isInstanceOf(IllegalMonitorStateException.class);
            assertThat(reader.isHeld()).isTrue();
        }
        try (Lease writer = one.acquire(X);
                Lease reader = one.acquire(X.mode(LockMode.SHARED))) {
            assertThatThrownBy(reader.condition(EMPTY)::await).isInstanceOf(IllegalMonitorStateException.class);
            writer.condition(EMPTY).signal();
        }
        assertThatThrownBy(() -> one.readWrite(X).readLock().newCondition())
                .isInstanceOf(UnsupportedOperationException.class);
        fleet.assertNothingLeft();
    }

    @Test
    void conditionsThatDoNotFitTheRequestAreRefused() throws Exception {
        LockRequest both =
                LockRequest.ofAll("k", List.of(LockNames.tagged("t", "a"), LockNames.tagged("t", "b")));
        try (Lease lease = one.acquire(both)) {
            assertThatThrownBy(() -> lease.condition(EMPTY).await())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("by a request of its own");
            assertThatThrownBy(() -> lease.condition(EMPTY).signal()).isInstanceOf(UnsupportedOperationException.class);
            assertThat(lease.isHeld()).isTrue();
        }
        assertThatThrownBy(() -> one.signalUnchecked(both, EMPTY)).isInstanceOf(UnsupportedOperationException.class);
        try (Lease lease = one.acquire(X.holdAtLeast(Duration.ofMillis(50)).expire(Duration.ofSeconds(10)))) {
            assertThatThrownBy(() -> lease.condition(EMPTY).await())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("holdAtLeast");
            for (String name : List.of("", "a b", "ü", "x".repeat(65))) {
                assertThatThrownBy(() -> lease.condition(name)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> lease.condition(EMPTY).waitTime(WaitTime.none()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void stopEndsAWaitAtACondition() throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        LockTemplate stopping = fleet.start();
        Future<Boolean> waiter = begin(() -> {
            try (Lease lease = stopping.acquire(X)) {
                lease.condition(EMPTY).await();
                return true;
            } finally {
                closed.set(true);
            }
        });
        awaitAwaiting(1);
        stopping.stop();
        assertThatThrownBy(() -> fleet.get(waiter)).hasMessageContaining("stopping");
        assertThat(closed).isTrue();
        fleet.assertNothingLeft();
    }

    /** Records events, with the number of their request. */
    private static final class Recorder implements LockListener {

        private final List<String> events = new CopyOnWriteArrayList<>();
        private final List<Long> requests = new CopyOnWriteArrayList<>();

        private void add(String name, Event event) {
            requests.add(event.request().id());
            events.add(name + " " + requests.stream().distinct().toList().indexOf(event.request().id()));
        }

        @Override
        public void asked(Asked event) {
            add("asked", event);
        }

        @Override
        public void granted(Granted event) {
            add("granted", event);
        }

        @Override
        public void released(Released event) {
            add("released", event);
        }

        @Override
        public void awaiting(Awaiting event) {
            add("awaiting " + event.condition(), event);
        }

        @Override
        public void timedOut(TimedOut event) {
            add("timed out", event);
        }

        @Override
        public void ended(Ended event) {
            add("ended", event);
        }

        @Override
        public void lost(LockLostEvent event) {
            add("lost", event);
        }
    }
}
