package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedReadWriteLock;
import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers share a lock, and writers have it alone. */
public abstract class SharedScenarios extends Scenarios {

    private static final String LOCK = "k.a";
    private static final LockRequest WRITE = LockRequest.of("k", "a").waitUnbounded();
    private static final LockRequest READ = WRITE.mode(LockMode.SHARED);
    private static final LockRequest OTHER = LockRequest.of("k", "b").waitUnbounded();

    private LockTemplate one;
    private LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start();
        other = fleet.start();
    }

    @Test
    void readersShareALockAndItsToken() throws Exception {
        Lease first = one.acquire(READ);
        Lease second = other.acquire(READ);
        Lease third = fleet.call(() -> one.acquire(READ));
        assertThat(List.of(second.fencingToken(), third.fencingToken())).containsOnly(first.fencingToken());
        assertThat(fleet.call(() -> other.tryAcquire(WRITE.waitTime(Duration.ZERO)))).isEmpty();
        assertThat(first.release()).isTrue();
        assertThat(second.isHeld()).isTrue();
        assertThat(second.release()).isTrue();
        assertThat(third.release()).isTrue();
        Lease writer = one.acquire(WRITE);
        assertThat(writer.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(fleet.call(() -> other.tryAcquire(READ.waitTime(Duration.ZERO)))).isEmpty();
        assertThat(writer.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void readerThatComesAfterAWriterIsServedAfterIt() throws Exception {
        Lease reader = one.acquire(READ);
        Future<Lease> writer = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 1);
        Future<Lease> late = fleet.begin(() -> one.acquire(READ));
        fleet.awaitWaiting(LOCK, 2);
        assertThat(fleet.call(() -> one.tryAcquire(READ.waitTime(Duration.ZERO))))
                .as("a try passes no writer either")
                .isEmpty();
        assertThat(writer.isDone()).isFalse();
        assertThat(reader.release()).isTrue();
        Lease held = fleet.get(writer, fleet.moment());
        assertThat(late.isDone()).isFalse();
        assertThat(held.release()).isTrue();
        Lease last = fleet.get(late, fleet.moment());
        assertThat(List.of(reader.fencingToken(), held.fencingToken(), last.fencingToken()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(last.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void readersThatWaitAreGrantedTogether() throws Exception {
        Lease writer = one.acquire(WRITE);
        List<Future<Lease>> readers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            readers.add(fleet.begin(() -> process.acquire(READ)));
            fleet.awaitWaiting(LOCK, i + 1);
        }
        Future<Lease> next = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 7);
        assertThat(writer.release()).isTrue();
        List<Lease> held = new ArrayList<>();
        for (Future<Lease> reader : readers) {
            held.add(fleet.get(reader, fleet.moment()));
        }
        assertThat(held).extracting(Lease::fencingToken).containsOnly(held.get(0).fencingToken());
        for (Lease lease : held) {
            assertThat(next.isDone()).isFalse();
            assertThat(lease.release()).isTrue();
        }
        assertThat(fleet.get(next, fleet.moment()).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void writerAmongManyReadersIsGrantedWhenThoseHaveLeftThatWereBeforeIt() throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger reading = new AtomicInteger();
        List<Future<Object>> loops = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            loops.add(fleet.begin(() -> {
                while (!stopped.get()) {
                    try (Lease lease = process.acquire(READ)) {
                        reading.incrementAndGet();
                        assertThat(lease.isHeld()).isTrue();
                        reading.decrementAndGet();
                    }
                }
                return this;
            }));
        }
        for (int i = 0; i < 5; i++) {
            Lease writer = fleet.get(fleet.begin(() -> other.acquire(WRITE)), Duration.ofSeconds(20));
            assertThat(reading).hasValue(0);
            assertThat(writer.release()).isTrue();
        }
        stopped.set(true);
        for (Future<Object> loop : loops) {
            fleet.get(loop);
        }
        fleet.assertNothingLeft();
    }

    @Test
    void readerThatWantsTheLockAloneIsRefusedAtOnce() {
        try (Lease reader = one.acquire(READ)) {
            assertThatThrownBy(() -> one.acquire(WRITE))
                    .isInstanceOf(LockDeadlockException.class)
                    .hasMessageContaining("already holds it in shared mode");
            assertThatThrownBy(() -> one.acquire(WRITE.and(OTHER))).isInstanceOf(LockDeadlockException.class);
            one.acquire(READ).close();
            assertThat(reader.isHeld()).isTrue();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void readerEntersAgainWhileAWriterWaits() throws Exception {
        Lease reader = one.acquire(READ);
        Future<Lease> writer = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 1);
        Lease again = one.acquire(READ);
        assertThat(again.fencingToken()).isEqualTo(reader.fencingToken());
        assertThat(reader.release()).isTrue();
        assertThat(writer.isDone()).isFalse();
        assertThat(again.release()).isTrue();
        assertThat(fleet.get(writer, fleet.moment()).release()).isTrue();
    }

    @Test
    void writerMayReadAndStaysAWriter() throws Exception {
        Lease writer = one.acquire(WRITE);
        Lease reader = one.acquire(READ);
        assertThat(reader.fencingToken()).isEqualTo(writer.fencingToken());
        assertThat(fleet.call(() -> other.tryAcquire(READ.waitTime(Duration.ZERO)))).isEmpty();
        assertThat(reader.release()).isTrue();
        assertThat(writer.isHeld()).isTrue();
        assertThat(other.inspect(READ).isShared()).isFalse();
        assertThat(writer.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void writerThatLeavesWhileItReadsBecomesAReaderInOneStep() throws Exception {
        Lease writer = one.acquire(WRITE);
        Lease reader = one.acquire(READ);
        Future<Lease> joins = fleet.begin(() -> other.acquire(READ));
        fleet.awaitWaiting(LOCK, 1);
        Future<Lease> next = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 2);
        assertThat(writer.release()).isTrue();
        assertThat(writer.isHeld()).isFalse();
        assertThat(reader.isHeld()).isTrue();
        assertThat(reader.fencingToken()).isGreaterThan(writer.fencingToken());
        Lease joined = fleet.get(joins, fleet.moment());
        assertThat(joined.fencingToken()).isEqualTo(reader.fencingToken());
        assertThat(next.isDone()).isFalse();
        assertThatThrownBy(() -> one.acquire(WRITE)).isInstanceOf(LockDeadlockException.class);
        assertThat(reader.renew()).isTrue();
        assertThat(reader.release()).isTrue();
        assertThat(joined.release()).isTrue();
        assertThat(fleet.get(next, fleet.moment()).release()).isTrue();
        fleet.assertNothingLeft();
    }

    /** The members of its cohort that wait need another place. */
    @Test
    void writerOfACrowdBecomesAReader() throws Exception {
        Lease writer = one.acquire(WRITE);
        Lease reader = one.acquire(READ);
        List<Future<Lease>> crowd = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            crowd.add(fleet.begin(() -> one.acquire(WRITE)));
        }
        fleet.awaitWaiting(LOCK, 3);
        assertThat(writer.release()).isTrue();
        assertThat(reader.isHeld()).isTrue();
        assertThat(crowd).noneMatch(Future::isDone);
        assertThat(reader.release()).isTrue();
        for (int i = 0; i < 3; i++) {
            fleet.until(Duration.ofSeconds(5), () -> crowd.stream().anyMatch(Future::isDone));
            Future<Lease> next = crowd.stream().filter(Future::isDone).findFirst().orElseThrow();
            assertThat(fleet.get(next).release()).isTrue();
            crowd.removeIf(granted -> granted == next);
        }
        fleet.assertNothingLeft();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // the two locks cross
    void readWriteLockTurnsAWriterIntoAReader() throws Exception {
        DistributedReadWriteLock lock = one.readWrite(LockRequest.of("k", "a"));
        DistributedReadWriteLock remote = other.readWrite(LockRequest.of("k", "a"));
        lock.writeLock().lock();
        assertThat(fleet.call(() -> remote.readLock().tryLock())).isFalse();
        lock.readLock().lock();
        lock.writeLock().unlock();
        assertThat(fleet.call(() -> {
                    boolean locked = remote.readLock().tryLock();
                    remote.readLock().unlock();
                    return locked;
                }))
                .isTrue();
        assertThat(fleet.call(() -> remote.writeLock().tryLock())).isFalse();
        assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(LockDeadlockException.class);
        lock.readLock().unlock();
        assertThat(fleet.call(() -> {
                    boolean locked = remote.writeLock().tryLock();
                    remote.writeLock().unlock();
                    return locked;
                }))
                .isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void eachReaderLosesItsOwnLease() throws Exception {
        Lease brief = one.acquire(READ.expire(Duration.ofSeconds(1)));
        Lease lasting = other.acquire(READ);
        Future<Lease> writer = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 1);
        fleet.pass(Duration.ofMillis(1_500));
        assertThat(brief.isExpired()).isTrue();
        assertThat(lasting.isHeld()).isTrue();
        assertThatThrownBy(brief::close).isInstanceOf(LockLostException.class);
        assertThat(writer.isDone()).isFalse();
        assertThat(lasting.release()).isTrue();
        assertThat(fleet.get(writer, fleet.moment()).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void leaseOfAReaderIsRenewedBeyondItsLength() throws Exception {
        LockTemplate renewing = fleet.start(builder -> builder.expire(Duration.ofSeconds(3)));
        Lease reader = renewing.acquire(READ);
        assertThat(fleet.call(() -> other.tryAcquire(WRITE.waitTime(Duration.ofSeconds(7)))))
                .isEmpty();
        assertThat(reader.isHeld()).isTrue();
        assertThat(reader.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void leaseOfAWriterThatBecameAReaderIsRenewed() throws Exception {
        LockTemplate renewing = fleet.start(builder -> builder.expire(Duration.ofSeconds(3)));
        Lease writer = renewing.acquire(WRITE);
        Lease reader = renewing.acquire(READ);
        assertThat(writer.release()).isTrue();
        assertThat(fleet.call(() -> other.tryAcquire(WRITE.waitTime(Duration.ofSeconds(7)))))
                .isEmpty();
        assertThat(reader.isHeld()).isTrue();
        assertThat(reader.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void forceReleaseIsALossForEveryReader() throws Exception {
        Lease first = one.acquire(READ);
        Lease second = other.acquire(READ);
        Future<Lease> writer = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 1);
        assertThat(one.forceRelease(WRITE)).isTrue();
        fleet.until(Duration.ofSeconds(2), () -> first.isExpired() && second.isExpired());
        assertThat(fleet.get(writer, fleet.moment()).release()).isTrue();
        assertThat(first.release()).isFalse();
        assertThat(second.release()).isFalse();
        fleet.assertNothingLeft();
    }

    @Test
    void inspectionNamesAllReaders() throws Exception {
        Lease first = one.acquire(READ);
        Lease second = other.acquire(READ);
        Future<Lease> writer = fleet.begin(() -> other.acquire(WRITE));
        fleet.awaitWaiting(LOCK, 1);
        LockState state = one.inspect(READ);
        assertThat(state.isShared()).isTrue();
        assertThat(state.readers())
                .extracting(LockHolder::owner)
                .containsExactlyInAnyOrder(first.owner(), second.owner());
        assertThat(state.holder().orElseThrow().fencingToken()).isEqualTo(first.fencingToken());
        assertThat(state.waiting()).isEqualTo(1);
        first.close();
        second.close();
        fleet.get(writer, fleet.moment()).close();
    }

    @Test
    void severalLocksHaveAModeEach() throws Exception {
        LockRequest write = LockRequest.of("k", LockNames.tagged("t", "a")).waitUnbounded();
        LockRequest read = write.mode(LockMode.SHARED);
        LockRequest apart = LockRequest.of("k", LockNames.tagged("t", "b")).waitUnbounded();
        LockRequest mixed = read.and(apart);
        Lease reader = other.acquire(read);
        Lease both = one.acquire(mixed);
        assertThat(both.fencingToken()).isGreaterThan(reader.fencingToken());
        assertThat(fleet.call(() -> other.tryAcquire(read.waitTime(Duration.ZERO)).map(Lease::release)))
                .contains(true);
        assertThat(fleet.call(() -> other.tryAcquire(apart.mode(LockMode.SHARED).waitTime(Duration.ZERO))))
                .isEmpty();
        assertThat(reader.release()).isTrue();
        assertThat(fleet.call(() -> other.tryAcquire(write.waitTime(Duration.ZERO)))).isEmpty();
        Future<Lease> waiting = fleet.begin(() -> other.acquire(mixed));
        fleet.awaitWaiting(mixed, 1);
        assertThat(both.release()).isTrue();
        assertThat(fleet.get(waiting, fleet.moment()).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void threadsOfOneOwnerShareItsHold() throws Exception {
        LockRequest owned = READ.owner("report");
        Lease first = one.acquire(owned);
        Lease second = fleet.call(() -> one.acquire(owned));
        assertThat(second.owner()).isEqualTo(first.owner());
        assertThat(one.inspect(READ).readers()).hasSize(1);
        assertThat(first.release()).isTrue();
        assertThat(second.isHeld()).isTrue();
        assertThat(second.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void readerThatGivesUpLeavesTheQueue() throws Exception {
        Lease writer = one.acquire(WRITE);
        assertThat(fleet.call(() -> other.tryAcquire(READ.waitTime(Duration.ofMillis(500)))))
                .isEmpty();
        assertThat(writer.release()).isTrue();
        fleet.assertNothingLeft();
    }
}
