package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockNames;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.Renewal;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several locks in one request: both or none, lost, given up, entered again. */
public abstract class SeveralLocksScenarios extends Scenarios {

    /** The locks are in one slot of a Redis Cluster, where a request for several locks needs that. */
    private static final String KEY_A = LockNames.tagged("t", "a");

    private static final String KEY_B = LockNames.tagged("t", "b");
    private static final String KEY_C = LockNames.tagged("t", "c");
    public static final LockRequest A = LockRequest.of("k", KEY_A);
    public static final LockRequest B = LockRequest.of("k", KEY_B);
    public static final LockRequest BOTH = LockRequest.ofAll("k", List.of(KEY_A, KEY_B));

    private static final int ROUNDS = 30;

    /** The names of the locks. */
    private static final String NAME_A = "k." + KEY_A;

    private static final String NAME_B = "k." + KEY_B;

    protected LockTemplate one;
    protected LockTemplate other;

    @BeforeEach
    void start() {
        one = fleet.start(builder -> builder.patience(Duration.ZERO));
        other = fleet.start();
    }

    @Test
    void bothAreGrantedUnderOneToken() {
        try (Lease lease = one.acquire(LockRequest.ofAll("k", List.of(KEY_B, KEY_A)))) {
            assertThat(lease.names()).containsExactly(NAME_A, NAME_B);
            assertThat(fleet.isHeldOnly(NAME_A, NAME_B)).isTrue();
            for (LockRequest each : List.of(A, B)) {
                assertThat(other.inspect(each).holder().map(LockHolder::fencingToken))
                        .contains(lease.fencingToken());
            }
        }
        fleet.assertNothingLeft();
    }

    @Test
    void noneIsTakenIfOneIsBusy() {
        Lease busy = other.acquire(B);
        assertThat(one.tryAcquire(BOTH)).isEmpty();
        assertThatThrownBy(() -> fleet.call(() -> one.acquire(BOTH.waitTime(Duration.ofMillis(800)))))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("'k.{t}a, k.{t}b'");
        fleet.until(Duration.ofSeconds(2), () -> fleet.isHeldOnly(NAME_B));
        busy.close();
        one.acquire(BOTH).close();
    }

    @Test
    void waiterHoldsNothingAndIsGrantedBothOnceTheyAreFree() throws Exception {
        Lease busy = other.acquire(B);
        LockTemplate patient = fleet.start(builder -> builder.patience(Duration.ofSeconds(30)));
        Future<Lease> both = fleet.begin(() -> patient.acquire(BOTH.waitUnbounded()));
        fleet.awaitWaiting(BOTH, 1);
        for (int i = 0; i < 4; i++) {
            fleet.pass(Duration.ofMillis(200));
            assertThat(fleet.isHeld(NAME_A)).isFalse();
            // others pass it within its patience
            assertThat(other.tryAcquire(A)).hasValueSatisfying(lease -> assertThat(lease.release())
                    .isTrue());
        }
        assertThat(both).isNotDone();
        assertThat(busy.release()).isTrue();
        try (Lease lease = fleet.get(both, Duration.ofSeconds(3))) {
            assertThat(lease.contended()).isTrue();
            assertThat(fleet.isHeldOnly(NAME_A, NAME_B)).isTrue();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void twoThatAskForBothInOppositeOrderDoNotDeadlock() throws Exception {
        LockRequest ab = BOTH.waitTime(Duration.ofSeconds(20));
        LockRequest ba = LockRequest.ofAll("k", List.of(KEY_B, KEY_A)).waitTime(Duration.ofSeconds(20));
        AtomicInteger inside = new AtomicInteger();
        Future<Integer> first = fleet.begin(() -> rounds(one, ab, inside));
        Future<Integer> second = fleet.begin(() -> rounds(other, ba, inside));
        assertThat(fleet.get(first, Duration.ofMinutes(1))).isEqualTo(ROUNDS);
        assertThat(fleet.get(second, Duration.ofMinutes(1))).isEqualTo(ROUNDS);
        fleet.assertNothingLeft();
    }

    private static int rounds(LockTemplate template, LockRequest request, AtomicInteger inside) {
        int alone = 0;
        for (int i = 0; i < ROUNDS; i++) {
            alone += template.execute(request, lease -> {
                int others = inside.getAndIncrement();
                Thread.yield();
                inside.decrementAndGet();
                return others == 0 ? 1 : 0;
            });
        }
        return alone;
    }

    @Test
    void forceReleaseOfOneLosesBoth() {
        Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(2)).renew(Renewal.ALWAYS));
        assertThat(other.isLocked(A)).isTrue();
        assertThat(other.forceRelease(B)).isTrue();
        fleet.until(Duration.ofSeconds(3), () -> !lease.isHeld());
        fleet.until(Duration.ofSeconds(3), () -> !other.isLocked(BOTH));
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        fleet.assertNothingLeft();
    }

    @Test
    void renewalExtendsBoth() {
        try (Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(5)))) {
            assertThat(lease.renew(Duration.ofSeconds(20))).isTrue();
            assertThat(other.inspect(A).remaining()).isGreaterThan(Duration.ofSeconds(15));
            assertThat(other.inspect(B).remaining()).isGreaterThan(Duration.ofSeconds(15));
        }
    }

    @Test
    void renewalThatFindsOneLostNamesItAndGivesTheOtherBack() {
        Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(20)));
        fleet.delete(NAME_B);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThatThrownBy(lease::close)
                .hasMessageContaining("Lock 'k.{t}b' of 'k.{t}a, k.{t}b' was lost")
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.lostNames()).containsExactly(NAME_B));
        fleet.until(Duration.ofSeconds(2), fleet::isHeldOnly);
        fleet.assertNothingLeft();
    }

    @Test
    void renewalByItselfFindsOneLost() {
        AtomicBoolean told = new AtomicBoolean();
        Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(3)).renew(Renewal.ALWAYS));
        lease.onLost(() -> told.set(true));
        fleet.delete(NAME_A);
        fleet.until(Duration.ofSeconds(5), told::get);
        assertThatThrownBy(lease::close)
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.lostNames()).containsExactly(NAME_A));
    }

    @Test
    void releaseThatFindsOneLostNamesItAndGivesTheOtherBack() throws Exception {
        Lease lease = one.acquire(BOTH);
        Future<Lease> waiter = fleet.begin(() -> other.acquire(A));
        fleet.awaitWaiting(NAME_A, 1);
        fleet.delete(NAME_B);
        Lease taken = other.acquire(B);
        assertThatThrownBy(lease::close)
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.lostNames()).containsExactly(NAME_B));
        assertThat(taken.isHeld()).isTrue();
        assertThat(taken.release()).isTrue();
        assertThat(fleet.get(waiter, Duration.ofSeconds(2)).release()).isTrue();
    }

    @Test
    void leaseThatEndsLosesAll() {
        Lease lease = one.acquire(BOTH.expire(Duration.ofSeconds(1)));
        AtomicBoolean told = new AtomicBoolean();
        lease.onLost(() -> told.set(true));
        fleet.until(Duration.ofSeconds(5), told::get);
        assertThatThrownBy(lease::close)
                .asInstanceOf(type(LockLostException.class))
                .satisfies(ex -> assertThat(ex.lostNames()).containsExactly(NAME_A, NAME_B));
    }

    @Test
    void interruptLeavesEveryQueue() {
        Lease busy = other.acquire(A);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Future<Lease> both = fleet.begin(() -> {
            waiter.set(Thread.currentThread());
            return one.acquire(BOTH.waitUnbounded());
        });
        fleet.awaitWaiting(BOTH, 1);
        waiter.get().interrupt();
        assertThatThrownBy(() -> fleet.get(both, Duration.ofSeconds(5))).isInstanceOf(LockInterruptedException.class);
        fleet.until(Duration.ofSeconds(2), () -> fleet.isHeldOnly(NAME_A));
        assertThat(busy.release()).isTrue();
    }

    @Test
    void expiredHolderOfBothIsTakenOver() throws Exception {
        Duration expire = Duration.ofSeconds(2);
        LockTemplate gone = fleet.start();
        long asked = fleet.nanoTime();
        gone.acquire(BOTH.expire(expire));
        // a process that has stopped neither renews nor ends its leases
        gone.close();
        Lease both = fleet.get(fleet.begin(() -> one.acquire(BOTH)), Duration.ofSeconds(5));
        // Redis counts milliseconds
        assertThat(fleet.since(asked)).isGreaterThan(expire.minusMillis(10));
        assertThat(both.release()).isTrue();
    }

    /** The waiter expects nothing until the recheck: by what it was told, the holder has the locks for much longer. */
    @Test
    void bothThatAreDeletedUnderTheirHolderAreTakenOver() throws Exception {
        Lease held = other.acquire(BOTH.expire(Duration.ofSeconds(60)));
        Future<Lease> both = fleet.begin(() -> one.acquire(BOTH));
        fleet.awaitWaiting(BOTH, 1);
        fleet.delete(NAME_A);
        fleet.delete(NAME_B);
        assertThat(fleet.get(both, Duration.ofSeconds(3)).release()).isTrue();
        assertThatThrownBy(held::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void ownerOfBothEntersEachOfThemAgain() {
        Lease both = one.acquire(BOTH);
        Lease a = one.acquire(A);
        Lease b = one.acquire(B);
        Lease again = one.acquire(BOTH);
        assertThat(List.of(a.fencingToken(), b.fencingToken(), again.fencingToken()))
                .containsOnly(both.fencingToken());
        assertThat(both.release()).isTrue();
        assertThat(a.release()).isTrue();
        assertThat(again.release()).isTrue();
        assertThat(b.isHeld()).isTrue();
        assertThat(other.tryAcquire(A)).isEmpty();
        assertThat(b.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void ownerOfSomeFailsAtOnceWhenItAsksForMore() {
        try (Lease a = one.acquire(A)) {
            assertThatThrownBy(() -> one.acquire(BOTH))
                    .isInstanceOf(LockDeadlockException.class)
                    .hasMessageContaining("'k.{t}a, k.{t}b'")
                    .hasMessageContaining("holds 'k.{t}a'");
            assertThat(a.isHeld()).isTrue();
        }
        try (Lease both = one.acquire(BOTH)) {
            assertThatThrownBy(() -> one.acquire(LockRequest.ofAll("k", List.of(KEY_B, KEY_C))))
                    .isInstanceOf(LockDeadlockException.class);
            assertThatThrownBy(() -> one.acquire(A.reentrant(false))).isInstanceOf(LockDeadlockException.class);
            one.acquire(LockRequest.of("k", KEY_C)).close();
            assertThat(both.isHeld()).isTrue();
        }
        one.acquire(BOTH).close();
        fleet.assertNothingLeft();
    }

    @Test
    void lossOfWhatItHeldDoesNotBarItFromMore() {
        Lease a = one.acquire(A.expire(Duration.ofSeconds(20)));
        fleet.delete(NAME_A);
        assertThat(a.renew()).isFalse();
        one.acquire(BOTH).close();
        assertThatThrownBy(a::close).as("told at its close").isInstanceOf(LockLostException.class);
    }
}
