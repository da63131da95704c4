package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Owners that a request names: shared by the threads and callbacks of one process. */
public abstract class OwnerScenarios extends Scenarios {

    private static final LockRequest X = LockRequest.of("x");
    protected static final LockRequest CONN_17 =
            LockRequest.of("address", "10.0.0.7").owner("conn-17");
    protected static final LockRequest CONN_18 =
            LockRequest.of("address", "10.0.0.7").owner("conn-18");
    protected static final String ADDRESS = "address.10%2E0%2E0%2E7";

    protected LockTemplate template;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        template = fleet.start();
        other = fleet.start();
    }

    /** The example of redis-em-mutex: one connection per address, to any of the servers. */
    @Test
    void oneConnectionPerAddress() throws Exception {
        Lease connection =
                template.tryAcquire(CONN_17.expire(Duration.ofSeconds(20))).orElseThrow();
        assertThat(template.tryAcquire(CONN_18)).as("on this server").isEmpty();
        assertThat(other.tryAcquire(CONN_18)).as("on another").isEmpty();

        // data arrives, handled by any thread
        fleet.pass(Duration.ofMillis(100));
        Duration left = connection.remaining();
        assertThat(fleet.call(() -> connection.renew())).isTrue();
        assertThat(connection.remaining()).isGreaterThan(left).isGreaterThan(Duration.ofSeconds(18));
        assertThat(other.tryAcquire(CONN_18)).isEmpty();

        // the connection is closed
        assertThat(fleet.call(connection::release)).isTrue();
        assertThat(other.tryAcquire(CONN_18)).hasValueSatisfying(Lease::close);
    }

    @Test
    void ownerEntersFromAnyThread() throws Exception {
        Lease outer = template.acquire(CONN_17);
        Lease inner = fleet.call(() -> template.acquire(CONN_17));
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.owner()).isEqualTo(outer.owner());
        assertThat(inner.attempts()).isZero();
        assertThat(inner.waited()).isZero();
        assertThat(outer.release()).isTrue();
        assertThat(inner.isHeld()).isTrue();
        assertThat(other.tryAcquire(CONN_18)).isEmpty();
        inner.close();
        assertThat(other.tryAcquire(CONN_18)).hasValueSatisfying(Lease::close);
    }

    @Test
    void innerRequestOfAnotherThreadExtendsAShorterLease() throws Exception {
        Lease outer = template.acquire(CONN_17.expire(Duration.ofSeconds(2)));
        Lease inner = fleet.call(() -> template.acquire(CONN_17.expire(Duration.ofSeconds(20))));
        assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(15));
        inner.close();
        outer.close();
    }

    @Test
    void lostLeaseDoesNotBarItsOwnerFromTheLock() throws Exception {
        Lease lost = template.acquire(CONN_17.expire(Duration.ofSeconds(20)));
        fleet.delete(ADDRESS);
        assertThat(lost.renew()).isFalse();
        Lease fresh = fleet.call(() -> template.acquire(CONN_17));
        assertThatThrownBy(lost::close).isInstanceOf(LockLostException.class);
        assertThat(fresh.release()).isTrue();
    }

    @Test
    void requestThatIsNotReentrantFailsAtOnceInAnyThread() {
        Lease outer = template.acquire(CONN_17);
        assertThatThrownBy(() -> fleet.call(() -> template.acquire(CONN_17.reentrant(false))))
                .isInstanceOf(LockDeadlockException.class)
                .hasMessageContaining("conn-17");
        assertThat(outer.release()).isTrue();
        template.acquire(CONN_17.reentrant(false)).close();
    }

    @Test
    void sameOwnerOfAnotherProcessIsAnotherOwner() {
        try (Lease lease = template.acquire(CONN_17)) {
            assertThat(other.tryAcquire(CONN_17)).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
        try (Lease lease = other.acquire(CONN_17)) {
            assertThat(lease.owner()).endsWith(":o:conn-17");
        }
    }

    @Test
    void chosenOwnerIsNeverAThread() {
        String thread = "t" + Thread.currentThread().getId();
        try (Lease lease = template.acquire(X)) {
            assertThat(lease.owner()).endsWith(":" + thread);
            assertThat(template.tryAcquire(X.owner(thread))).isEmpty();
        }
        try (Lease lease = template.acquire(X.owner(thread))) {
            assertThat(template.tryAcquire(X)).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void labelNamesTheOwnerAndSinceWhen() {
        try (Lease lease = template.acquire(CONN_17)) {
            fleet.pass(Duration.ofMillis(30));
            LockResult<String> refused = other.tryExecute(CONN_18, held -> "done");
            assertThat(refused).isInstanceOfSatisfying(LockResult.Busy.class, busy -> {
                assertThat(busy.holder().label())
                        .endsWith(":" + ProcessHandle.current().pid() + "/conn-17");
                assertThat(busy.holder().owner()).isEqualTo(lease.owner());
                assertThat(busy.holder().heldFor()).isBetween(Duration.ofMillis(25), Duration.ofSeconds(10));
            });
        }
    }

    @Test
    void threadsOfOneOwnerThatAskTogetherAreAllLetIn() throws Exception {
        for (int round = 0; round < 30; round++) {
            Lease first = fleet.call(() -> other.acquire(CONN_17));
            AtomicInteger entered = new AtomicInteger();
            List<CompletableFuture<Optional<Lease>>> threads = IntStream.range(0, 6)
                    .mapToObj(i -> fleet.begin(() -> {
                        Optional<Lease> lease = template.tryAcquire(CONN_17.waitTime(Duration.ofSeconds(5)));
                        lease.ifPresent(held -> entered.incrementAndGet());
                        return lease;
                    }))
                    .toList();
            first.close();
            // each is in before any of them leaves
            fleet.get(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)));
            assertThat(threads).allSatisfy(thread -> assertThat(thread.join()).isPresent());
            assertThat(entered).hasValue(6);
            for (CompletableFuture<Optional<Lease>> thread : threads) {
                assertThat(thread.join().orElseThrow().release()).isTrue();
            }
        }
        fleet.assertNothingLeft();
    }

    @Test
    void triesOfOneOwnerThatAskTogetherAreAllLetIn() throws Exception {
        for (int round = 0; round < 100; round++) {
            List<CompletableFuture<Optional<Lease>>> threads = IntStream.range(0, 4)
                    .mapToObj(i -> fleet.begin(() -> template.tryAcquire(CONN_17)))
                    .toList();
            fleet.get(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)));
            assertThat(threads).allSatisfy(thread -> assertThat(thread.join()).isPresent());
            for (CompletableFuture<Optional<Lease>> thread : threads) {
                assertThat(thread.join().orElseThrow().release()).isTrue();
            }
            // a try whose owner was let in meanwhile may be carried out, and ended, after that: not without an order of
            // commands
            fleet.until(Duration.ofSeconds(10), () -> EngineCounters.openRequests(template) == 0);
        }
    }

    @Test
    void restartIsANewIdentityAndLosesWhatWasHeld() {
        Lease byThread = template.acquire(X);
        Lease byOwner = template.acquire(CONN_17);
        CompletableFuture<String> told = new CompletableFuture<>();
        byOwner.onLost(() -> told.complete("told"));
        String before = byThread.owner();

        // what a checkpoint and a restore do
        template.stop();
        template.start();

        fleet.until(Duration.ofSeconds(2), told::isDone);
        assertThat(byThread.isHeld()).isFalse();
        assertThat(byThread.isExpired()).isTrue();
        assertThat(byThread.renew()).isFalse();
        assertThat(template.tryAcquire(X)).as("not freed for its owner, either").isEmpty();
        assertThatThrownBy(byThread::close)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("stopped and started again");
        assertThatThrownBy(byOwner::close).isInstanceOf(LockLostException.class);
        assertThat(other.tryAcquire(X))
                .as("not freed under work that may still go on")
                .isEmpty();
        try (Lease after = template.acquire(LockRequest.of("y"))) {
            assertThat(after.isHeld()).isTrue();
            assertThat(after.owner()).isNotEqualTo(before);
        }
    }
}
