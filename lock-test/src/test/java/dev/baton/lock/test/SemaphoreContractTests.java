package dev.baton.lock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedSemaphore;
import dev.baton.lock.Lease;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.Scenarios;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The behaviors of other semaphores that apply: those of the tests of Curator's InterProcessSemaphoreV2 (curator...), of
 * Redisson's RPermitExpirableSemaphore (redisson...) and of java.util.concurrent.Semaphore (juc...), and those of dv's
 * redis-semaphore (ruby...). {@code docs/migration.md} says where permits differ.
 */
@Timeout(60)
class SemaphoreContractTests extends Scenarios {

    private static final LockRequest NAME = LockRequest.of("k", "a");
    private static final Duration LEASE = Duration.ofSeconds(10);

    private LockTemplate one;
    private LockTemplate other;

    @Override
    protected Fleet newFleet() {
        return new VirtualFleet(VirtualMode.queueing().get(0));
    }

    @BeforeEach
    void start() {
        one = fleet.start(settings -> settings.expire(LEASE));
        other = fleet.start(settings -> settings.expire(LEASE));
    }

    private static DistributedSemaphore of(LockTemplate process, int size) {
        return process.semaphore(NAME.waitUnbounded(), size);
    }

    private void awaitWaiting(int requests) {
        fleet.awaitWaiting(NAME.permits(1), requests);
    }

    @Test
    void curatorAllProcessesOfAPathShareTheLeases() {
        Lease first = of(one, 2).acquire();
        Lease second = of(other, 2).acquire();
        assertThat(of(one, 2).tryAcquire()).isEmpty();
        first.close();
        second.close();
        assertThat(of(one, 2).availablePermits()).isEqualTo(2);
    }

    @Test
    void curatorAcquireOfAQuantityGetsAllOrNoneInTime() throws Exception {
        Lease seven = of(one, 10).acquire(7);
        assertThat(fleet.call(() -> of(other, 10).tryAcquire(5, Duration.ofSeconds(2))))
                .isEmpty();
        assertThat(of(other, 10).availablePermits()).as("it keeps none").isEqualTo(3);
        of(other, 10).tryAcquire(3).orElseThrow().close();
        seven.close();
    }

    @Test
    void curatorWaiterForAQuantityIsGrantedWhenOthersReturnTheirLeasesOneByOne() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            leases.add(of(one, 11).acquire());
        }
        Future<Lease> all = fleet.begin(() -> of(other, 11).acquire(11));
        awaitWaiting(1);
        for (Lease lease : leases) {
            assertThat(all.isDone()).isFalse();
            lease.close();
        }
        fleet.get(all, fleet.moment()).close();
    }

    @Test
    void curatorLeasesAreFairInTheOrderInWhichTheyWereRequested() throws Exception {
        Lease held = of(one, 1).acquire();
        List<Integer> order = new ArrayList<>();
        List<Future<Object>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            waiting.add(fleet.begin(() -> {
                try (Lease lease = of(number % 2 == 0 ? one : other, 1).acquire()) {
                    order.add(number);
                    return lease;
                }
            }));
            awaitWaiting(i + 1);
        }
        held.close();
        for (Future<Object> waiter : waiting) {
            fleet.get(waiter);
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void curatorLeasesOfAProcessThatIsGoneAreReturned() throws Exception {
        LockTemplate gone = fleet.start(settings -> settings.expire(LEASE));
        of(gone, 1).acquire();
        Future<Lease> next = fleet.begin(() -> of(one, 1).acquire());
        awaitWaiting(1);
        fleet.call(() -> {
            gone.stop();
            return this;
        });
        fleet.get(next, LEASE.plusSeconds(1)).close();
    }

    @Test
    void curatorInterruptedAcquireReturnsWhatItHas() throws Exception {
        Lease held = of(one, 3).acquire();
        AtomicReference<Thread> thread = new AtomicReference<>();
        Future<Lease> waiting = fleet.begin(() -> {
            thread.set(Thread.currentThread());
            return of(other, 3).acquire(3);
        });
        awaitWaiting(1);
        thread.get().interrupt();
        assertThatThrownBy(() -> fleet.get(waiting)).isInstanceOf(LockInterruptedException.class);
        assertThat(of(other, 3).availablePermits()).isEqualTo(2);
        held.close();
    }

    @Test
    void curatorNumberOfLeasesMayGrowWhileOthersWait() throws Exception {
        Lease held = of(one, 1).acquire();
        Future<Lease> waiting = fleet.begin(() -> of(other, 1).acquire());
        awaitWaiting(1);
        of(one, 1).overrideSize(2, Duration.ofMinutes(1));
        fleet.get(waiting, fleet.moment()).close();
        held.close();
    }

    @Test
    void redissonPermitExpiresAndCannotBeReleasedAfterwards() throws Exception {
        DistributedSemaphore brief =
                one.semaphore(NAME.expire(Duration.ofSeconds(2)).renew(Renewal.NEVER), 1);
        Lease permit = brief.acquire();
        fleet.pass(Duration.ofSeconds(3));
        Lease next = of(other, 1).tryAcquire().orElseThrow();
        assertThat(permit.release()).isFalse();
        assertThat(of(other, 1).availablePermits()).isZero();
        next.close();
    }

    @Test
    void redissonLeaseTimeOfAPermitCanBeUpdated() throws Exception {
        Lease permit = one.semaphore(NAME.expire(Duration.ofSeconds(2)), 1).acquire();
        permit.renew(Duration.ofSeconds(30));
        fleet.pass(Duration.ofSeconds(10));
        assertThat(permit.isHeld()).isTrue();
        assertThat(of(other, 1).tryAcquire()).isEmpty();
        permit.close();
    }

    @Test
    void redissonPermitIsReleasedOnce() {
        Lease permit = of(one, 2).acquire();
        assertThat(permit.release()).isTrue();
        assertThat(permit.release()).isFalse();
        assertThat(of(one, 2).availablePermits()).isEqualTo(2);
    }

    @Test
    void redissonEachPermitHasAnIdOfItsOwn() {
        Lease first = of(one, 2).acquire();
        Lease second = of(other, 2).acquire();
        assertThat(first.owner()).isNotEqualTo(second.owner());
        assertThat(first.fencingToken()).isNotEqualTo(second.fencingToken());
        first.close();
        second.close();
    }

    @Test
    void redissonNeverMoreThanThePermitsRunAtATime() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<Object>> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            threads.add(fleet.begin(() -> {
                try (Lease lease = of(process, 5).acquire()) {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    running.decrementAndGet();
                    return lease;
                }
            }));
        }
        for (Future<Object> thread : threads) {
            fleet.get(thread);
        }
        assertThat(most.get()).isBetween(1, 5);
    }

    @Test
    void jucConstructorAndArgumentsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> of(one, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> of(one, 1).acquire(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> of(one, 1).tryAcquire(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> of(one, 1).tryAcquire(-1, LEASE));
        assertThat(of(one, 7).size()).isEqualTo(7);
        assertThat(of(one, 7).availablePermits()).isEqualTo(7);
    }

    @Test
    void jucTryAcquireSucceedsWhenPermitsAreAvailableAndElseFailsAtOnce() {
        Lease first = of(one, 2).tryAcquire().orElseThrow();
        Lease second = of(one, 2).tryAcquire().orElseThrow();
        assertThat(of(one, 2).availablePermits()).isZero();
        long now = fleet.nanoTime();
        assertThat(of(one, 2).tryAcquire()).isEmpty();
        assertThat(fleet.since(now)).isZero();
        first.close();
        second.close();
    }

    @Test
    void jucTimedTryAcquireTimesOut() throws Exception {
        Lease held = of(one, 1).acquire();
        long now = fleet.nanoTime();
        assertThat(fleet.call(() -> of(one, 1).tryAcquire(Duration.ofSeconds(3))))
                .isEmpty();
        assertThat(fleet.since(now)).isEqualTo(Duration.ofSeconds(3));
        held.close();
    }

    @Test
    void jucReleaseInAnotherThreadEnablesTheAcquire() throws Exception {
        Lease held = of(one, 1).acquire();
        Future<Lease> waiting = fleet.begin(() -> of(one, 1).acquire());
        awaitWaiting(1);
        assertThat(fleet.call(held::release)).isTrue();
        fleet.get(waiting, fleet.moment()).close();
    }

    @Test
    void jucReleasesOfDifferentSizesEnableTheAcquireOfTheirSum() throws Exception {
        Lease first = of(one, 3).acquire(1);
        Lease second = of(one, 3).acquire(2);
        Future<Lease> all = fleet.begin(() -> of(one, 3).acquire(3));
        awaitWaiting(1);
        second.close();
        assertThat(all.isDone()).isFalse();
        first.close();
        fleet.get(all, fleet.moment()).close();
    }

    @Test
    void jucQueueLengthReportsTheWaiters() throws Exception {
        Lease held = of(one, 1).acquire();
        Future<Lease> first = fleet.begin(() -> of(one, 1).acquire());
        awaitWaiting(1);
        Future<Lease> second = fleet.begin(() -> of(other, 1).acquire());
        awaitWaiting(2);
        assertThat(of(one, 1).inspect().waiting()).isEqualTo(2);
        held.close();
        fleet.get(first, fleet.moment()).close();
        fleet.get(second, fleet.moment()).close();
        assertThat(of(one, 1).inspect().waiting()).isZero();
    }

    @Test
    void rubyResourcesAreLockedByAtMostSoManyClients() throws Exception {
        DistributedSemaphore semaphore = of(one, 3);
        List<Lease> tokens = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            tokens.add(of(i == 0 ? one : other, 3).acquire());
        }
        assertThat(semaphore.availablePermits()).isZero();
        assertThat(fleet.call(() -> semaphore.tryAcquire(Duration.ofSeconds(1))))
                .as("lock(1) is false")
                .isEmpty();
        tokens.remove(0).close();
        assertThat(semaphore.availablePermits()).isEqualTo(1);
        tokens.forEach(Lease::close);
    }

    @Test
    void rubyBlockIsRunUnderAResourceAndReleasesIt() {
        String result = one.execute(NAME.permits(1), lease -> {
            assertThat(one.isLocked(NAME.permits(1))).isTrue();
            return "done";
        });
        assertThat(result).isEqualTo("done");
        assertThatThrownBy(() -> one.executeWithoutResult(NAME.permits(1), lease -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");
        assertThat(one.isLocked(NAME.permits(1))).isFalse();
    }

    @Test
    void rubyResourcesOfAStaleClientBecomeAvailable() throws Exception {
        one.semaphore(NAME.expire(Duration.ofSeconds(5)).renew(Renewal.NEVER), 1)
                .acquire();
        fleet.pass(Duration.ofSeconds(6));
        of(other, 1).tryAcquire().orElseThrow().close();
    }
}
