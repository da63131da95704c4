package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that expired leases which were never closed leave nothing in the process. */
@SuppressWarnings("LockNotBeforeTry") // some tests do not release the lock on purpose
class UnclosedLeasesTests {

    private static final LockRequest REQUEST =
            LockRequest.of("x").expire(Duration.ofMinutes(1)).renew(Renewal.NEVER);
    private static final Duration OVER = Duration.ofMinutes(2);

    private final TestClock clock = TestClock.standing();
    private final CurrentLocks current = new CurrentLocks(clock);
    private final LockTemplate template = LockTemplate.builder(new InMemoryLockStore(clock))
            .time(clock)
            .listener(current)
            .shutdownAwait(Duration.ZERO)
            .build();

    @AfterEach
    void stop() {
        template.close();
    }

    @Test
    void unclosedLeasesLeaveNothing() {
        int each = 1_000;
        List<WeakReference<Acquisition>> leases = take(
                each, i -> template.acquireAsync(named(i)).toCompletableFuture().join());
        leases.addAll(take(each, i -> template.acquire(named(each + i).owner("conn-" + i))));
        leases.addAll(take(each, i -> template.acquire(named(2 * each + i))));
        assertThat(template.engine().openRequests()).isEqualTo(3 * each);
        clock.advance(OVER);

        assertGone(leases);
    }

    @Test
    void leasesOfEndedThreadsLeaveNothing() throws Exception {
        List<WeakReference<Acquisition>> leases = new ArrayList<>();
        DistributedMutex mutex = template.mutex(REQUEST);
        for (int i = 0; i < 100; i++) {
            LockRequest own = named(i);
            Thread thread = new Thread(() -> {
                leases.add(acquisition(template.acquire(own)));
                mutex.lock();
                mutex.lease().ifPresent(lease -> leases.add(acquisition(lease)));
            });
            thread.start();
            thread.join();
            clock.advance(OVER);
        }
        mutex.lock();
        mutex.unlock();

        assertThat(leases).hasSize(200);
        assertGone(leases);
        assertThat(mutex.toString()).endsWith("(not taken by this process)");
    }

    private static LockRequest named(int number) {
        return LockRequest.of("x", number).expire(REQUEST.expire()).renew(Renewal.NEVER);
    }

    private static List<WeakReference<Acquisition>> take(int number, IntFunction<Lease> taking) {
        List<WeakReference<Acquisition>> leases = new ArrayList<>(number);
        for (int i = 0; i < number; i++) {
            leases.add(acquisition(taking.apply(i)));
        }
        return leases;
    }

    /** Returns references to the lease and to the objects of its hold and timers. */
    private static WeakReference<Acquisition> acquisition(Lease lease) {
        return new WeakReference<>(((DefaultLease) lease).hold().acquisition);
    }

    /** Asserts that no lease and none of its objects is reachable from the template, its timers or its listener. */
    private void assertGone(List<WeakReference<Acquisition>> leases) {
        LockEngine engine = template.engine();
        await().untilAsserted(() -> {
            clock.settle();
            assertThat(engine.openRequests()).isZero();
            assertThat(engine.leases().names()).isEmpty();
            assertThat(template.acquirer().sharedOwners()).isZero();
            assertThat(current.held()).isEmpty();
            System.gc();
            assertThat(leases.stream().filter(lease -> lease.get() != null))
                    .as("leases")
                    .isEmpty();
        });
    }
}
