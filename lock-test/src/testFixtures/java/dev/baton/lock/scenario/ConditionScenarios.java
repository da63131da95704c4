package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LeaseCondition;
import dev.baton.lock.LeaseCondition.Woken;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Holders await conditions of their locks, and other holders signal them. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what one wait does is tested
public abstract class ConditionScenarios extends ConditionFixture {

    @Test
    void signalledHolderGetsTheLockBackWithANewLeaseAndToken() throws Exception {
        CompletableFuture<Lease> held = new CompletableFuture<>();
        Future<Lease> waiter = begin(() -> {
            Lease lease = one.acquire(X);
            held.complete(lease);
            Lease now = lease.condition(EMPTY).await();
            assertThat(lease.isHeld()).as("released").isFalse();
            assertThat(lease.isExpired()).as("not lost").isFalse();
            assertThat(lease.renew()).isFalse();
            assertThat(lease.present().fencingToken()).isEqualTo(now.fencingToken());
            assertThat(now.isHeld()).isTrue();
            assertThat(now.contended()).isTrue();
            return now;
        });
        awaitFree();
        Lease signaller = other.acquire(X);
        signaller.condition(EMPTY).signal();
        assertThat(waiter.isDone()).as("the lock is still held").isFalse();
        assertThat(signaller.release()).isTrue();
        Lease back = fleet.get(waiter, fleet.moment());
        assertThat(List.of(fleet.get(held).fencingToken(), signaller.fencingToken(), back.fencingToken()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(back.release()).isTrue();
        assertThat(fleet.get(held).release()).as("the same entry").isFalse();
        fleet.assertNothingLeft();
    }

    @Test
    void closingTheFirstLeaseReleasesTheLockThatCameBack() throws Exception {
        Future<Boolean> waiter = begin(() -> {
            try (Lease lease = one.acquire(X)) {
                lease.condition(EMPTY).await();
                return other.isLocked(X);
            }
        });
        awaitFree();
        signal(other, EMPTY);
        assertThat(fleet.get(waiter)).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void workThatAwaitsGoesOnUnderTheNewLease() throws Exception {
        Future<String> waiter = begin(() -> one.execute(X, lease -> {
            Lease now = lease.condition(EMPTY).await(Duration.ofSeconds(60)).lease();
            assertThat(LockContext.currentLease().present().fencingToken()).isEqualTo(now.fencingToken());
            LockContext.currentLease().verify();
            return "done";
        }));
        awaitFree();
        signal(other, EMPTY);
        assertThat(fleet.get(waiter)).isEqualTo("done");
        fleet.assertNothingLeft();
    }

    @Test
    void workThatLosesTheLockThatCameBackIsToldSo() throws Exception {
        Future<String> waiter = begin(() -> one.execute(X, lease -> {
            lease.condition(EMPTY).await();
            fleet.delete(LOCK);
            return "done";
        }));
        awaitFree();
        signal(other, EMPTY);
        assertThatThrownBy(() -> fleet.get(waiter)).isInstanceOf(LockLostException.class);
        fleet.assertNothingLeft();
    }

    @Test
    void allEntriesOfTheOwnerComeBack() throws Exception {
        DistributedMutex mutex = one.mutex(X);
        Future<Integer> waiter = begin(() -> {
            mutex.lock();
            mutex.lock();
            try (Lease third = one.acquire(X)) {
                assertThat(third.isHeld()).isTrue();
                mutex.newCondition().await();
                assertThat(mutex.lease().orElseThrow().isHeld()).isTrue();
                assertThat(third.present().isHeld()).isTrue();
            }
            int count = mutex.getHoldCount();
            mutex.unlock();
            assertThat(other.isLocked(X)).as("once more").isTrue();
            mutex.unlock();
            return count;
        });
        awaitFree();
        signal(other, LeaseCondition.DEFAULT);
        assertThat(fleet.get(waiter)).isEqualTo(2);
        fleet.assertNothingLeft();
    }

    @Test
    void waitersAreSignalledInTheirOrder() throws Exception {
        Deque<Integer> order = new ConcurrentLinkedDeque<>();
        List<Future<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            LockTemplate process = i % 2 == 0 ? one : other;
            waiters.add(begin(() -> {
                try (Lease lease = process.acquire(X)) {
                    lease.condition(EMPTY).await();
                    return order.add(number);
                }
            }));
            awaitAwaiting(i + 1);
        }
        for (int i = 0; i < 4; i++) {
            signal(other, EMPTY);
            fleet.get(waiters.get(i), fleet.moment());
        }
        assertThat(order).containsExactly(0, 1, 2, 3);
        fleet.assertNothingLeft();
    }

    @Test
    void signalAllWakesAllWaitersOneAfterTheOther() throws Exception {
        List<Future<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            waiters.add(awaiting(i % 2 == 0 ? one : other, EMPTY));
            awaitAwaiting(i + 1);
        }
        try (Lease lease = other.acquire(X)) {
            lease.condition(EMPTY).signalAll();
        }
        for (Future<Boolean> waiter : waiters) {
            assertThat(fleet.get(waiter)).isTrue();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void signalWithoutWaitersIsForgotten() throws Exception {
        signal(other, EMPTY);
        Woken woken = fleet.call(() -> one.acquire(X).condition(EMPTY).await(Duration.ofSeconds(1)));
        assertThat(woken.inTime()).isFalse();
        assertThat(woken.lease().release()).isTrue();
    }

    /** C5. */
    @Test
    void conditionsOfALockAreApart() throws Exception {
        Future<Boolean> empty = awaiting(one, EMPTY);
        awaitAwaiting(1);
        Future<Boolean> full = awaiting(other, FULL);
        awaitAwaiting(2);
        signal(one, FULL);
        assertThat(fleet.get(full, fleet.moment())).isTrue();
        fleet.pass(Duration.ofSeconds(1));
        assertThat(empty.isDone()).isFalse();
        signal(one, EMPTY);
        assertThat(fleet.get(empty, fleet.moment())).isTrue();
    }

    @Test
    void processesShareAQueueWithABound() throws Exception {
        int bound = 2;
        int count = 40;
        Deque<Integer> queue = new ConcurrentLinkedDeque<>();
        List<Integer> taken = new ArrayList<>();
        Future<Boolean> producer = begin(() -> {
            for (int i = 0; i < count; i++) {
                try (Lease lease = one.acquire(X)) {
                    Lease now = lease;
                    while (queue.size() == bound) {
                        now = now.condition(FULL).await();
                    }
                    queue.add(i);
                    now.condition(EMPTY).signal();
                }
            }
            return true;
        });
        Future<Boolean> consumer = begin(() -> {
            while (taken.size() < count) {
                try (Lease lease = other.acquire(X)) {
                    Lease now = lease;
                    while (queue.isEmpty()) {
                        now = now.condition(EMPTY).await();
                    }
                    taken.add(queue.remove());
                    now.condition(FULL).signal();
                }
            }
            return true;
        });
        assertThat(fleet.get(producer)).isTrue();
        assertThat(fleet.get(consumer)).isTrue();
        assertThat(taken).hasSize(count).isSorted();
        fleet.assertNothingLeft();
    }

    @Test
    void uncheckedSignalNeedsNoLock() throws Exception {
        Future<Boolean> waiter = awaiting(one, EMPTY);
        awaitAwaiting(1);
        other.signalUnchecked(X, EMPTY);
        assertThat(fleet.get(waiter, fleet.moment())).isTrue();
        other.signalUnchecked(X, EMPTY);
        fleet.assertNothingLeft();
    }

    @Test
    void wakeUpReachesOneOwner() throws Exception {
        CompletableFuture<String> owner = new CompletableFuture<>();
        Future<Boolean> first = awaiting(one, EMPTY);
        awaitAwaiting(1);
        Future<Boolean> second = begin(() -> {
            try (Lease lease = one.acquire(X)) {
                owner.complete(lease.owner());
                return lease.condition(EMPTY).await().isHeld();
            }
        });
        awaitAwaiting(2);
        other.wakeUp(X, EMPTY, "nobody");
        other.wakeUp(X, EMPTY, fleet.get(owner));
        assertThat(fleet.get(second, fleet.moment())).isTrue();
        assertThat(first.isDone()).isFalse();
        other.wakeUp(X, EMPTY, fleet.get(owner));
        fleet.pass(Duration.ofSeconds(1));
        assertThat(first.isDone()).isFalse();
        signal(other, EMPTY);
        assertThat(fleet.get(first)).isTrue();
    }

    /** C2. */
    @Test
    void lockIsWithTheNextAtOnceWhenAHolderAwaits() throws Exception {
        Lease lease = one.acquire(X);
        Future<Lease> next = begin(() -> other.acquire(X));
        fleet.awaitWaiting(LOCK, 1);
        Future<Woken> waiter = begin(() -> lease.condition(EMPTY).await(Duration.ofSeconds(60)));
        Lease held = fleet.get(next, fleet.moment());
        held.condition(EMPTY).signal();
        assertThat(held.release()).isTrue();
        assertThat(fleet.get(waiter, fleet.moment()).lease().release()).isTrue();
        fleet.assertNothingLeft();
    }

    /** Holders and waiters of one process may share an entry in the store. */
    @Test
    void waitersOfTheSameProcessAreServedWhileAHolderAwaits() throws Exception {
        Future<Boolean> waiter = awaiting(one, EMPTY);
        awaitAwaiting(1);
        Lease held = one.acquire(X);
        List<Future<Boolean>> next = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            next.add(awaiting(one, FULL));
            fleet.awaitWaiting(LOCK, i + 1);
        }
        assertThat(held.release()).isTrue();
        awaitAwaiting(4);
        try (Lease lease = one.acquire(X)) {
            lease.condition(FULL).signalAll();
            lease.condition(EMPTY).signalAll();
        }
        for (Future<Boolean> each : next) {
            assertThat(fleet.get(each)).isTrue();
        }
        assertThat(fleet.get(waiter)).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void namespacesHaveConditionsOfTheirOwn() throws Exception {
        Future<Boolean> waiter = begin(() -> {
            try (Lease lease = one.withNamespace("n").acquire(X)) {
                return lease.condition(EMPTY).await().isHeld();
            }
        });
        awaitAwaiting(1);
        other.signalUnchecked(X, EMPTY);
        fleet.pass(Duration.ofMillis(100));
        assertThat(waiter.isDone()).isFalse();
        other.withNamespace("n").ignoringTransactions().signalUnchecked(X, EMPTY);
        assertThat(fleet.get(waiter, fleet.moment())).isTrue();
    }

    @Test
    void manyWaitsAndSignalsLoseNone() throws Exception {
        AtomicInteger tickets = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        List<Future<Boolean>> consumers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            consumers.add(begin(() -> {
                for (int n = 0; n < 5; n++) {
                    try (Lease lease = process.acquire(X)) {
                        Lease now = lease;
                        while (tickets.get() == 0) {
                            now = now.condition(EMPTY).await();
                        }
                        tickets.decrementAndGet();
                        served.incrementAndGet();
                    }
                }
                return true;
            }));
        }
        Future<Boolean> producer = begin(() -> {
            for (int n = 0; n < 30; n++) {
                try (Lease lease = other.acquire(X)) {
                    tickets.incrementAndGet();
                    lease.condition(EMPTY).signal();
                }
            }
            return true;
        });
        assertThat(fleet.get(producer)).isTrue();
        for (Future<Boolean> consumer : consumers) {
            assertThat(fleet.get(consumer)).isTrue();
        }
        assertThat(served).hasValue(30);
        fleet.assertNothingLeft();
    }
}
