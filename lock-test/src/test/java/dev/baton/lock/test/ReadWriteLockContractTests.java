package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedReadWriteLock;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests {@link DistributedReadWriteLock} against the sentences of {@link ReadWriteLock} and
 * {@link java.util.concurrent.locks.ReentrantReadWriteLock}, and against what Curator's and Redisson's locks do. Each
 * {@code fleet.call} is another thread. docs/migration.md lists the tests.
 */
@Tag("once")
@Timeout(60)
@SuppressWarnings("LockNotBeforeTry") // the two locks cross
class ReadWriteLockContractTests {

    private static final LockRequest REQUEST = LockRequest.of("k", "a");

    private final VirtualFleet fleet = new VirtualFleet(new VirtualMode(WaitStrategy.GRANT, 32, ReleaseMode.CONFIRMED));
    private DistributedReadWriteLock lock;
    private DistributedReadWriteLock remote;

    @BeforeEach
    void start() {
        lock = fleet.start().readWrite(REQUEST);
        remote = fleet.start().readWrite(REQUEST);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    @Test
    void readLockIsHeldByMultipleThreadsWithoutAWriter() throws Exception {
        lock.readLock().lock();
        assertThat(tries(lock.readLock())).isTrue();
        assertThat(tries(remote.readLock())).isTrue();
        lock.readLock().unlock();
        fleet.assertNothingLeft();
    }

    @Test
    void writeLockIsExclusive() throws Exception {
        lock.writeLock().lock();
        assertThat(tries(lock.readLock())).isFalse();
        assertThat(tries(lock.writeLock())).isFalse();
        assertThat(tries(remote.readLock())).isFalse();
        assertThat(tries(remote.writeLock())).isFalse();
        lock.writeLock().unlock();
        lock.readLock().lock();
        assertThat(tries(lock.writeLock())).isFalse();
        assertThat(tries(remote.writeLock())).isFalse();
        lock.readLock().unlock();
        fleet.assertNothingLeft();
    }

    @Test
    void readerSeesWhatTheWriterDidBeforeItUnlocked() throws Exception {
        int[] written = new int[1];
        lock.writeLock().lock();
        CompletableFuture<Integer> read = fleet.begin(() -> {
            remote.readLock().lock();
            try {
                return written[0];
            } finally {
                remote.readLock().unlock();
            }
        });
        fleet.awaitWaiting("k.a", 1);
        written[0] = 42;
        lock.writeLock().unlock();
        assertThat(fleet.get(read)).isEqualTo(42);
    }

    @Test
    void locksAreGrantedInTheOrderOfArrival() throws Exception {
        List<String> order = new ArrayList<>();
        lock.readLock().lock();
        CompletableFuture<Boolean> writer = waits(remote.writeLock(), order, "writer");
        fleet.awaitWaiting("k.a", 1);
        CompletableFuture<Boolean> reader = waits(remote.readLock(), order, "reader");
        fleet.awaitWaiting("k.a", 2);
        assertThat(order).isEmpty();
        lock.readLock().unlock();
        fleet.get(writer);
        fleet.get(reader);
        assertThat(order).containsExactly("writer", "reader");
        fleet.assertNothingLeft();
    }

    @Test
    void readersThatWaitLongerThanWritersAreGrantedTogether() throws Exception {
        lock.writeLock().lock();
        List<CompletableFuture<Object>> readers = new ArrayList<>();
        CompletableFuture<Object> leave = new CompletableFuture<>();
        AtomicInteger reading = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            readers.add(fleet.begin(() -> {
                remote.readLock().lock();
                reading.incrementAndGet();
                leave.get();
                remote.readLock().unlock();
                return leave;
            }));
            fleet.awaitWaiting("k.a", i + 1);
        }
        lock.writeLock().unlock();
        fleet.until(fleet.moment(), () -> reading.get() == 3);
        leave.complete(leave);
        for (CompletableFuture<Object> reader : readers) {
            fleet.get(reader);
        }
        fleet.assertNothingLeft();
    }

    @Test
    void tryLockOfAReaderDoesNotBargePastAWriter() throws Exception {
        lock.readLock().lock();
        CompletableFuture<Boolean> writer = waits(remote.writeLock(), new ArrayList<>(), "writer");
        fleet.awaitWaiting("k.a", 1);
        assertThat(tries(remote.readLock())).isFalse();
        lock.readLock().unlock();
        fleet.get(writer);
    }

    @Test
    void timedTryLockWaitsForItsTimeAtMost() throws Exception {
        lock.writeLock().lock();
        long since = fleet.nanoTime();
        assertThat(fleet.call(() -> remote.readLock().tryLock(300, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThat(fleet.since(since)).isBetween(Duration.ofMillis(300), Duration.ofMillis(310));
        lock.writeLock().unlock();
        fleet.assertNothingLeft();
    }

    @Test
    void readLockIsReentrant() throws Exception {
        lock.readLock().lock();
        lock.readLock().lock();
        assertThat(lock.readLock().getHoldCount()).isEqualTo(2);
        lock.readLock().unlock();
        assertThat(tries(remote.writeLock())).isFalse();
        lock.readLock().unlock();
        assertThat(tries(remote.writeLock())).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void readLockIsReentrantWhileAWriterWaits() throws Exception {
        lock.readLock().lock();
        CompletableFuture<Boolean> writer = waits(remote.writeLock(), new ArrayList<>(), "writer");
        fleet.awaitWaiting("k.a", 1);
        assertThat(lock.readLock().tryLock()).isTrue();
        lock.readLock().unlock();
        lock.readLock().unlock();
        assertThat(fleet.get(writer)).isTrue();
    }

    @Test
    void writeLockIsReentrant() throws Exception {
        lock.writeLock().lock();
        lock.writeLock().lock();
        assertThat(lock.writeLock().getHoldCount()).isEqualTo(2);
        lock.writeLock().unlock();
        assertThat(tries(remote.readLock())).isFalse();
        lock.writeLock().unlock();
        assertThat(tries(remote.readLock())).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void writerAcquiresTheReadLockButNotTheReverse() {
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().unlock();
        lock.writeLock().unlock();
        lock.readLock().lock();
        assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(LockDeadlockException.class);
        lock.readLock().unlock();
        fleet.assertNothingLeft();
    }

    /** The classes of the JDK return {@code false}. */
    @Test
    void readerThatTriesTheWriteLockIsRefused() {
        lock.readLock().lock();
        assertThatThrownBy(() -> lock.writeLock().tryLock()).isInstanceOf(LockDeadlockException.class);
        assertThatThrownBy(() -> lock.writeLock().tryLock(1, TimeUnit.SECONDS))
                .isInstanceOf(LockDeadlockException.class);
        assertThat(lock.readLock().lease().orElseThrow().isHeld()).isTrue();
        lock.readLock().unlock();
        fleet.assertNothingLeft();
    }

    @Test
    void writerDowngradesByAcquiringTheReadLockBeforeItUnlocks() throws Exception {
        lock.writeLock().lock();
        lock.readLock().lock();
        CompletableFuture<Boolean> writer = waits(remote.writeLock(), new ArrayList<>(), "writer");
        fleet.awaitWaiting("k.a", 1);
        lock.writeLock().unlock();
        assertThat(writer).as("no writer comes in between").isNotDone();
        assertThat(lock.readLock().lease().orElseThrow().isHeld()).isTrue();
        lock.readLock().unlock();
        assertThat(fleet.get(writer)).isTrue();
    }

    @Test
    void writeLockIsFreeForOthersOnlyAfterBothLocksAreUnlocked() throws Exception {
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().unlock();
        assertThat(tries(remote.readLock())).as("still a writer").isFalse();
        lock.writeLock().unlock();
        assertThat(tries(remote.writeLock())).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void unlockWithoutALockIsRefused() throws Exception {
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        lock.readLock().lock();
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> fleet.call(() -> {
                    lock.readLock().unlock();
                    return true;
                }))
                .as("another thread")
                .isInstanceOf(IllegalMonitorStateException.class);
        lock.readLock().unlock();
        fleet.assertNothingLeft();
    }

    @Test
    void interruptEndsTheWaitOfAReaderAndOfAWriter() throws Exception {
        lock.writeLock().lock();
        for (Lock waiting : List.of(remote.readLock(), remote.writeLock())) {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Boolean> waiter = fleet.begin(() -> {
                thread.complete(Thread.currentThread());
                try {
                    waiting.lockInterruptibly();
                    return false;
                } catch (InterruptedException ex) {
                    return !Thread.currentThread().isInterrupted();
                }
            });
            fleet.awaitWaiting("k.a", 1);
            thread.get().interrupt();
            assertThat(fleet.get(waiter)).isTrue();
        }
        lock.writeLock().unlock();
        fleet.assertNothingLeft();
    }

    @Test
    @SuppressWarnings("WaitNotInLoop") // nothing causes a spurious wake-up here
    void onlyTheWriteLockHasConditions() throws Exception {
        assertThatThrownBy(() -> lock.readLock().newCondition()).isInstanceOf(UnsupportedOperationException.class);
        CompletableFuture<Boolean> waiter = fleet.begin(() -> {
            lock.writeLock().lock();
            try {
                return lock.writeLock().newCondition().await(1, TimeUnit.MINUTES);
            } finally {
                lock.writeLock().unlock();
            }
        });
        fleet.awaitAwaiting(1);
        remote.writeLock().lock();
        remote.writeLock().newCondition().signal();
        remote.writeLock().unlock();
        assertThat(fleet.get(waiter)).isTrue();
    }

    @Test
    void twoObjectsOfOneNameAreOneLock() throws Exception {
        LockTemplate process = fleet.start();
        process.readWrite(REQUEST).writeLock().lock();
        assertThat(tries(process.readWrite(REQUEST).readLock())).isFalse();
        assertThat(tries(process.readWrite(LockRequest.of("k", "b")).writeLock()))
                .isTrue();
    }

    @Test
    void lockWithoutALeaseOfItsOwnIsRenewed() throws Exception {
        lock.readLock().lock();
        fleet.pass(Duration.ofMinutes(2));
        assertThat(tries(remote.writeLock())).isFalse();
        lock.readLock().unlock();
        lock.writeLock().lock();
        fleet.pass(Duration.ofMinutes(2));
        assertThat(tries(remote.readLock())).isFalse();
        lock.writeLock().unlock();
        fleet.assertNothingLeft();
    }

    @Test
    void lockWithALeaseExpiresAndItsUnlockSaysSo() throws Exception {
        DistributedReadWriteLock brief = fleet.start().readWrite(REQUEST.expire(Duration.ofSeconds(1)));
        for (Lock expiring : List.of(brief.readLock(), brief.writeLock())) {
            expiring.lock();
            fleet.pass(Duration.ofMillis(1_100));
            assertThat(tries(remote.writeLock())).isTrue();
            assertThatThrownBy(expiring::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasCauseInstanceOf(LockLostException.class);
        }
        fleet.assertNothingLeft();
    }

    @Test
    void leaseOfOneReaderDoesNotEndThatOfAnother() throws Exception {
        DistributedReadWriteLock brief = fleet.start().readWrite(REQUEST.expire(Duration.ofSeconds(1)));
        lock.readLock().lock();
        fleet.call(() -> {
            brief.readLock().lock();
            return true;
        });
        fleet.pass(Duration.ofMillis(1_100));
        assertThat(tries(remote.writeLock())).isFalse();
        assertThat(lock.readLock().lease().orElseThrow().isHeld()).isTrue();
        lock.readLock().unlock();
        assertThat(tries(remote.writeLock())).isTrue();
    }

    @Test
    void readersAndWritersNeverOverlap() throws Exception {
        AtomicInteger reading = new AtomicInteger();
        AtomicInteger writing = new AtomicInteger();
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            DistributedReadWriteLock mine = i % 2 == 0 ? lock : remote;
            boolean writes = i % 3 == 0;
            Lock wanted = writes ? mine.writeLock() : mine.readLock();
            all.add(fleet.begin(() -> {
                boolean alone = true;
                for (int round = 0; round < 20; round++) {
                    wanted.lock();
                    AtomicInteger own = writes ? writing : reading;
                    int before = own.getAndIncrement();
                    alone &= writes ? before == 0 && reading.get() == 0 : writing.get() == 0;
                    own.decrementAndGet();
                    wanted.unlock();
                }
                return alone;
            }));
        }
        for (CompletableFuture<Boolean> one : all) {
            assertThat(fleet.get(one)).isTrue();
        }
        fleet.assertNothingLeft();
    }

    /** Tries in another thread, which unlocks what it gets. */
    private boolean tries(Lock wanted) throws Exception {
        return fleet.call(() -> {
            boolean locked = wanted.tryLock();
            if (locked) {
                wanted.unlock();
            }
            return locked;
        });
    }

    private CompletableFuture<Boolean> waits(Lock wanted, List<String> order, String name) {
        return fleet.begin(() -> {
            wanted.lock();
            try {
                return order.add(name);
            } finally {
                wanted.unlock();
            }
        });
    }
}
