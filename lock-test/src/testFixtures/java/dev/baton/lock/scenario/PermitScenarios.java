package dev.baton.lock.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.lock.DistributedSemaphore;
import dev.baton.lock.Lease;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockInterruptedException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Permits of a semaphore: so many holders at a time, in all processes together. */
public abstract class PermitScenarios extends Scenarios {

    private static final LockRequest API = LockRequest.of("k", "a").waitUnbounded();
    /** Names the semaphore to a fleet. */
    private static final LockRequest NAME = API.permits(1);

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration RECHECK = Duration.ofMillis(300);

    private LockTemplate one;
    private LockTemplate other;

    @BeforeEach
    void start() {
        one = start(LEASE);
        other = start(LEASE);
    }

    private LockTemplate start(Duration lease) {
        return fleet.start(
                settings -> settings.expire(lease).recheck(RECHECK).patience(Duration.ZERO));
    }

    /** The behavior of dv/redis-semaphore: a semaphore limits the access to N resources. */
    @Test
    void asManyClientsAsThereAreResourcesAndNoMore() throws Exception {
        int resources = 3;
        AtomicInteger busy = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<Object>> clients = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            clients.add(fleet.begin(() -> {
                for (int j = 0; j < 4; j++) {
                    process.executeWithoutResult(API.permits(resources), lease -> {
                        most.accumulateAndGet(busy.incrementAndGet(), Math::max);
                        assertThat(lease.isHeld()).isTrue();
                        Thread.yield();
                        busy.decrementAndGet();
                    });
                }
                return this;
            }));
        }
        for (Future<Object> client : clients) {
            fleet.get(client);
        }
        assertThat(most.get()).isBetween(1, resources);
        fleet.assertNothingLeft();
    }

    @Test
    void permitsOfAllProcessesAreCountedTogether() throws Exception {
        DistributedSemaphore here = one.semaphore(API, 3);
        DistributedSemaphore there = other.semaphore(API, 3);
        assertThat(here.availablePermits()).isEqualTo(3);
        Lease two = here.acquire(2);
        Lease last = there.acquire();
        assertThat(List.of(here.availablePermits(), there.availablePermits())).containsOnly(0);
        assertThat(fleet.call(() -> here.tryAcquire())).isEmpty();
        assertThat(two.release()).isTrue();
        assertThat(there.availablePermits()).as("both at once").isEqualTo(2);
        assertThat(there.tryAcquire(3)).isEmpty();
        Lease again = there.tryAcquire(2).orElseThrow();
        assertThat(List.of(two, last, again))
                .extracting(Lease::fencingToken)
                .as("each is another")
                .isSorted()
                .doesNotHaveDuplicates();
        last.close();
        again.close();
        fleet.assertNothingLeft();
    }

    @Test
    void acquiringTwiceTakesTwo() throws Exception {
        DistributedSemaphore pool = one.semaphore(API, 2);
        Lease first = pool.acquire();
        Lease second = pool.acquire();
        assertThat(second.owner()).isNotEqualTo(first.owner());
        assertThat(pool.availablePermits()).isZero();
        assertThat(one.isHeldByCurrentThread(NAME)).isFalse();
        assertThatThrownBy(() -> fleet.call(() -> one.acquire(pool.request(1).waitTime(Duration.ofMillis(400)))))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageStartingWith("Semaphore 'k.a' has not granted 1 of 2 permits within 4")
                .hasMessageContaining(" ms (one holder: ")
                .hasMessageEndingWith("; raise waitTime, the number of permits, or shorten the work under them");
        assertThatThrownBy(() -> one.acquire(pool.request(2).waitTime(Duration.ZERO)))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageStartingWith("Semaphore 'k.a' has not granted 2 of 2 permits (one holder: ")
                .hasMessageEndingWith("; give the request a waitTime, or try again later");
        first.close();
        second.close();
        fleet.assertNothingLeft();
    }

    @Test
    void anyThreadMayReleaseOnce() throws Exception {
        DistributedSemaphore pool = one.semaphore(API, 2);
        Lease lease = pool.acquire(2);
        assertThat(fleet.call(lease::release)).isTrue();
        assertThat(lease.release()).as("no permit is given back twice").isFalse();
        lease.close();
        assertThat(pool.availablePermits()).isEqualTo(2);
        assertThat(pool.tryAcquire(2).orElseThrow().release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        DistributedSemaphore pool = one.semaphore(API, 2);
        assertThat(pool.size()).isEqualTo(2);
        assertThat(pool).hasToString("DistributedSemaphore 'k.a' of 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool.acquire(0))
                .withMessage("a request for 0 permits takes nothing; request at least one permit");
        assertThatIllegalArgumentException().isThrownBy(() -> pool.tryAcquire(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool.acquireAsync(3))
                .withMessage("a request for 3 permits of 2 can never be granted; request fewer permits, or raise the size");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.semaphore(API, 0))
                .withMessageStartingWith("permits 0 is not positive");
        assertThatIllegalArgumentException().isThrownBy(() -> one.mutex(NAME)).withMessageContaining("semaphore(request");
        assertThatIllegalArgumentException().isThrownBy(() -> one.readWrite(NAME));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.overrideSize(API, 2, LEASE))
                .withMessage("lock 'k.a' has no size; name a semaphore by permits(size)");
        assertThatIllegalArgumentException().isThrownBy(() -> pool.overrideSize(-1, LEASE));
        assertThatIllegalArgumentException().isThrownBy(() -> pool.overrideSize(1, Duration.ofSeconds(-1)));
    }

    @Test
    void lockOfTheSameNameIsIndependent() throws Exception {
        try (Lease lock = one.acquire(API);
                Lease permit = other.semaphore(API, 1).acquire()) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(permit.isHeld()).isTrue();
            assertThat(one.inspect(API).permits()).isEmpty();
            assertThat(one.isLocked(NAME)).isTrue();
            assertThat(one.forceRelease(API)).isTrue();
            fleet.until(Duration.ofSeconds(5), lock::isExpired);
            assertThat(permit.isHeld()).isTrue();
            assertThat(lock.release()).isFalse();
        }
        fleet.assertNothingLeft();
    }

    @Test
    void waitersAreServedInTheirOrder() throws Exception {
        Lease all = one.semaphore(API, 3).acquire(3);
        List<Future<Lease>> waiting = new ArrayList<>();
        int[] counts = {2, 1, 3, 1};
        for (int i = 0; i < counts.length; i++) {
            DistributedSemaphore pool = (i % 2 == 0 ? one : other).semaphore(API, 3);
            int count = counts[i];
            waiting.add(fleet.begin(() -> pool.acquire(count)));
            fleet.awaitWaiting(NAME, i + 1);
        }
        assertThat(all.release()).isTrue();
        Lease first = fleet.get(waiting.get(0), fleet.moment());
        Lease second = fleet.get(waiting.get(1), fleet.moment());
        assertThat(second.release()).isTrue();
        assertThat(other.semaphore(API, 3).tryAcquire()).as("a newcomer").isEmpty();
        assertThat(waiting.get(3).isDone()).as("one permit is free, and the first asks for three").isFalse();
        assertThat(first.release()).isTrue();
        Lease third = fleet.get(waiting.get(2), fleet.moment());
        assertThat(waiting.get(3).isDone()).isFalse();
        assertThat(third.release()).isTrue();
        assertThat(fleet.get(waiting.get(3), fleet.moment()).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void othersPassALargeRequestForItsPatience() throws Exception {
        Duration patience = Duration.ofSeconds(1);
        LockTemplate patient = fleet.start(
                settings -> settings.expire(LEASE).recheck(RECHECK).patience(patience));
        Lease held = one.semaphore(API, 2).acquire();
        long asked = fleet.nanoTime();
        Future<Lease> both = fleet.begin(() -> patient.semaphore(API, 2).acquire(2));
        fleet.awaitWaiting(NAME, 1);
        int passed = 0;
        while (fleet.since(asked).compareTo(patience.multipliedBy(2)) < 0) {
            if (other.semaphore(API, 2).tryAcquire().map(Lease::release).orElse(false)) {
                passed++;
                assertThat(fleet.since(asked)).isLessThan(patience.plus(fleet.moment()));
            }
            fleet.pass(Duration.ofMillis(100));
        }
        assertThat(passed).isPositive();
        assertThat(held.release()).isTrue();
        assertThat(fleet.get(both, fleet.moment()).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void processThatCrashesGivesItsPermitsBackAfterItsLease() throws Exception {
        LockTemplate crashing = fleet.start(
                settings -> settings.expire(LEASE).recheck(RECHECK).shutdownAwait(Duration.ZERO));
        Lease lost = crashing.semaphore(API, 3).acquire(2);
        Lease kept = one.semaphore(API, 3).acquire();
        Future<Lease> waiting = fleet.begin(() -> other.semaphore(API, 3).acquire(2));
        fleet.awaitWaiting(NAME, 1);
        long since = fleet.nanoTime();
        // stops renewing, and releases nothing
        fleet.call(() -> {
            crashing.stop();
            return this;
        });
        Lease granted = fleet.get(waiting, LEASE.plus(RECHECK).plus(fleet.moment()));
        assertThat(fleet.since(since)).isGreaterThan(LEASE.dividedBy(2));
        assertThat(lost.isExpired()).isTrue();
        assertThat(kept.isHeld()).isTrue();
        granted.close();
        kept.close();
        fleet.assertNothingLeft();
    }

    @Test
    void permitsAreRenewedWhileTheyAreHeld() throws Exception {
        Lease lease = one.semaphore(API, 1).acquire();
        fleet.pass(LEASE.multipliedBy(2));
        assertThat(lease.isHeld()).isTrue();
        lease.verify();
        assertThat(other.semaphore(API, 1).tryAcquire()).isEmpty();
        assertThat(lease.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void permitsThatAreNotRenewedAreLost() throws Exception {
        Lease lease = one.semaphore(API.renew(Renewal.NEVER).expire(Duration.ofMillis(500)), 1)
                .acquire();
        AtomicInteger told = new AtomicInteger();
        lease.onLost(told::incrementAndGet);
        Lease next = fleet.get(fleet.begin(() -> other.semaphore(API, 1).acquire()), LEASE);
        assertThat(lease.isHeld()).isFalse();
        fleet.until(LEASE, () -> told.get() == 1);
        assertThat(lease.release()).as("what has ended gives nothing back").isFalse();
        assertThat(one.semaphore(API, 1).availablePermits()).isZero();
        assertThat(next.release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void forceReleaseTakesAllPermits() throws Exception {
        Lease here = one.semaphore(API, 2).acquire();
        Lease there = other.semaphore(API, 2).acquire();
        AtomicInteger told = new AtomicInteger();
        here.onLost(told::incrementAndGet);
        there.onLost(told::incrementAndGet);
        assertThat(one.forceRelease(NAME)).isTrue();
        fleet.until(Duration.ofSeconds(5), () -> told.get() == 2);
        assertThatThrownBy(here::close).isInstanceOf(LockLostException.class);
        assertThatThrownBy(there::close).isInstanceOf(LockLostException.class);
        assertThat(one.semaphore(API, 2).availablePermits()).isEqualTo(2);
        assertThat(one.forceRelease(NAME)).isFalse();
        fleet.assertNothingLeft();
    }

    @Test
    void requestThatGivesUpLetsSmallerOnesIn() throws Exception {
        Lease held = one.semaphore(API, 2).acquire();
        Future<Boolean> large = fleet.begin(() ->
                other.semaphore(API, 2).tryAcquire(2, Duration.ofMillis(700)).isPresent());
        fleet.awaitWaiting(NAME, 1);
        Future<Lease> small = fleet.begin(() -> one.semaphore(API, 2).acquire());
        fleet.awaitWaiting(NAME, 2);
        assertThat(small.isDone()).isFalse();
        assertThat(fleet.get(large)).isFalse();
        fleet.get(small, RECHECK.plus(fleet.moment())).close();
        held.close();
        fleet.assertNothingLeft();
    }

    @Test
    void interruptEndsTheWaitAndTakesNothing() throws Exception {
        Lease held = one.semaphore(API, 1).acquire();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Future<Lease> waiting = fleet.begin(() -> {
            waiter.set(Thread.currentThread());
            return other.semaphore(API, 1).acquire();
        });
        fleet.awaitWaiting(NAME, 1);
        waiter.get().interrupt();
        assertThatThrownBy(() -> fleet.get(waiting)).isInstanceOf(LockInterruptedException.class);
        fleet.awaitWaiting(NAME, 0);
        held.close();
        assertThat(one.semaphore(API, 1).availablePermits()).isEqualTo(1);
        fleet.assertNothingLeft();
    }

    @Test
    void waitThatIgnoresInterruptsGoesOn() throws Exception {
        Lease held = one.semaphore(API, 1).acquire();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Future<Boolean> waiting = fleet.begin(() -> {
            waiter.set(Thread.currentThread());
            try (Lease lease = other.semaphore(API.interruptible(false), 1).acquire()) {
                return lease.isHeld() && Thread.interrupted();
            }
        });
        fleet.awaitWaiting(NAME, 1);
        waiter.get().interrupt();
        held.close();
        assertThat(fleet.get(waiting)).as("held, and the interrupt is kept").isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void asynchronousRequestWaitsWithoutAThread() throws Exception {
        DistributedSemaphore pool = one.semaphore(API, 2);
        Lease held = pool.acquireAsync(2).toCompletableFuture().get();
        CompletableFuture<Lease> first = pool.acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> second = other.semaphore(API, 2).acquireAsync(2).toCompletableFuture();
        fleet.awaitWaiting(NAME, 2);
        assertThat(second.cancel(true)).isTrue();
        assertThat(held.releaseAsync().toCompletableFuture().get()).isTrue();
        assertThat(fleet.get(first, fleet.moment()).release()).isTrue();
        fleet.assertNothingLeft();
    }

    @Test
    void workRunsUnderPermits() throws Exception {
        LockRequest request = one.semaphore(API, 3).request(2);
        assertThat(request.permits()).isEqualTo(new LockPermits(3, 2));
        int available = one.execute(request, lease -> other.semaphore(API, 3).availablePermits());
        assertThat(available).isEqualTo(1);
        LockResult<Integer> busy = one.execute(
                request, lease -> other.tryExecute(request.waitTime(Duration.ZERO), inner -> 1));
        assertThat(busy).isInstanceOf(LockResult.Busy.class);
        CompletableFuture<Integer> async = one.executeAsync(
                        request, lease -> CompletableFuture.completedFuture(7))
                .toCompletableFuture();
        assertThat(fleet.get(async)).isEqualTo(7);
        fleet.assertNothingLeft();
    }

    @Test
    void pollingRequestIsGrantedWithoutAMessage() throws Exception {
        LockRequest polling = API.waitStrategy(WaitStrategy.POLLING).pollingInterval(Duration.ofMillis(50));
        Lease held = one.semaphore(API, 1).acquire();
        Future<Lease> waiting = fleet.begin(() -> other.semaphore(polling, 1).acquire());
        fleet.pass(Duration.ofMillis(200));
        assertThat(waiting.isDone()).isFalse();
        held.close();
        fleet.get(waiting, Duration.ofSeconds(1)).close();
        fleet.assertNothingLeft();
    }

    @Test
    void permitsAreKeptForTheMinimumTime() throws Exception {
        DistributedSemaphore pool = one.semaphore(API.holdAtLeast(Duration.ofSeconds(1)), 1);
        long since = fleet.nanoTime();
        pool.acquire().close();
        assertThat(pool.tryAcquire()).isEmpty();
        Lease next = fleet.get(fleet.begin(() -> other.semaphore(API, 1).acquire()), LEASE);
        assertThat(fleet.since(since)).isGreaterThan(Duration.ofMillis(900));
        next.close();
        fleet.assertNothingLeft();
    }

    @Test
    void inspectionNamesHoldersWithTheirPermits() throws Exception {
        Lease two = one.semaphore(API, 3).acquire(2);
        Lease single = other.semaphore(API, 3).acquire();
        Future<Lease> waiting = fleet.begin(() -> other.semaphore(API, 3).acquire());
        fleet.awaitWaiting(NAME, 1);
        LockState state = one.semaphore(API, 3).inspect();
        assertThat(state.permits().orElseThrow().size()).hasValue(3);
        assertThat(state.permits().orElseThrow().used()).isEqualTo(3);
        assertThat(state.readers())
                .extracting(LockHolder::owner, LockHolder::permits)
                .containsExactlyInAnyOrder(
                        tuple(two.owner(), 2),
                        tuple(single.owner(), 1));
        assertThat(state.waiting()).isEqualTo(1);
        try (Stream<LockState> listed = one.list("k.*")) {
            assertThat(listed).singleElement().satisfies(found -> {
                assertThat(found.name()).isEqualTo("k.a");
                assertThat(found.permits()).isPresent();
            });
        }
        two.close();
        single.close();
        fleet.get(waiting).close();
        fleet.assertNothingLeft();
    }

    @Test
    void largerSizeCountsWhenTheLastOldProcessIsGone() throws Exception {
        Lease old = one.semaphore(API, 5).acquire(5);
        Future<Lease> waiting = fleet.begin(() -> other.semaphore(API, 8).acquire());
        fleet.awaitWaiting(NAME, 1);
        fleet.pass(LEASE.multipliedBy(2));
        assertThat(waiting.isDone()).as("an old process still states 5").isFalse();
        assertThat(old.release()).isTrue();
        List<Lease> held = new ArrayList<>(List.of(fleet.get(waiting, fleet.moment())));
        for (int i = 0; i < 4; i++) {
            held.add(other.semaphore(API, 8).acquire());
        }
        assertThat(other.semaphore(API, 8).tryAcquire()).isEmpty();
        // a process states its size for its lease, or three rechecks
        Lease six = fleet.get(
                fleet.begin(() -> other.semaphore(API, 8).acquire()), LEASE.plus(RECHECK.multipliedBy(2)));
        held.add(six);
        held.add(other.semaphore(API, 8).acquire(2));
        assertThat(other.semaphore(API, 8).tryAcquire()).isEmpty();
        held.forEach(Lease::close);
        fleet.assertNothingLeft();
    }

    @Test
    void smallerSizeCountsAtOnceAndTakesNothingBack() throws Exception {
        Lease three = one.semaphore(API, 8).acquire(3);
        Lease four = one.semaphore(API, 8).acquire(4);
        assertThat(other.semaphore(API, 5).tryAcquire()).isEmpty();
        assertThat(one.semaphore(API, 8).tryAcquire()).as("also for the old process").isEmpty();
        assertThat(List.of(three.isHeld(), four.isHeld())).containsOnly(true);
        three.close();
        Lease fifth = other.semaphore(API, 5).acquire();
        assertThat(one.semaphore(API, 8).tryAcquire()).isEmpty();
        four.close();
        fifth.close();
        fleet.assertNothingLeft();
    }

    @Test
    void operatorSetsTheSizeUntilItsEnd() throws Exception {
        DistributedSemaphore pool = one.semaphore(API, 2);
        Lease first = pool.acquire(2);
        Future<Lease> waiting = fleet.begin(() -> other.semaphore(API, 2).acquire());
        fleet.awaitWaiting(NAME, 1);
        assertThat(pool.overrideSize(3, Duration.ofSeconds(2)).used()).isEqualTo(3);
        Lease third = fleet.get(waiting, fleet.moment());
        assertThat(pool.overrideSize(0, Duration.ofSeconds(2)).size()).hasValue(0);
        first.close();
        third.close();
        assertThat(pool.tryAcquire()).as("no permit is granted").isEmpty();
        Future<Lease> paused = fleet.begin(() -> other.semaphore(API, 2).acquire());
        fleet.pass(Duration.ofSeconds(1));
        assertThat(paused.isDone()).isFalse();
        fleet.get(paused, Duration.ofSeconds(2)).close();
        assertThat(pool.overrideSize(1, Duration.ofMinutes(1)).size()).hasValue(1);
        assertThat(pool.tryAcquire(2)).isEmpty();
        assertThat(pool.overrideSize(1, Duration.ZERO).size()).hasValue(2);
        pool.tryAcquire(2).orElseThrow().close();
        fleet.assertNothingLeft();
    }

    @Test
    void namespacesHaveSemaphoresOfTheirOwn() throws Exception {
        Lease outside = one.semaphore(API, 1).acquire();
        DistributedSemaphore nested = one.withNamespace("orders").semaphore(API, 1);
        Lease inside = nested.acquire();
        assertThat(nested.availablePermits()).isZero();
        assertThat(nested.overrideSize(2, LEASE).used()).isEqualTo(1);
        nested.tryAcquire().orElseThrow().close();
        assertThat(one.semaphore(API, 1).tryAcquire()).isEmpty();
        inside.close();
        outside.close();
        fleet.assertNothingLeft();
    }
}
