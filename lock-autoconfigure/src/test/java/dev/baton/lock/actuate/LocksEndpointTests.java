package dev.baton.lock.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.test.InMemoryLockStore;
import dev.baton.lock.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Show;

/** Tests the answers of the endpoint for the locks of two processes. */
class LocksEndpointTests {

    private static final LockRequest A = LockRequest.of("account", "a");
    private static final LockRequest B = LockRequest.of("account", "b");

    private final InMemoryLockStore store = new InMemoryLockStore(TestClock.ticking());
    private final CurrentLocks current = new CurrentLocks();
    private final LockTemplate locks = LockTemplate.builder(store)
            .time(store.clock())
            .listener(current)
            .shutdownAwait(Duration.ZERO)
            .build();
    private final LockTemplate other = LockTemplate.builder(store.newProcess())
            .time(store.clock())
            .shutdownAwait(Duration.ZERO)
            .build();
    private final List<Object> published = new ArrayList<>();
    private final LocksEndpoint shown = endpoint(Show.ALWAYS);

    @AfterEach
    void stop() {
        locks.close();
        other.close();
    }

    private LocksEndpoint endpoint(Show show) {
        return new LocksEndpoint(locks, current, new ForceReleaseAudit(published::add), show, Set.of());
    }

    @Test
    void heldLockHasItsHolderAndItsQueue() {
        try (Lease lease = locks.acquire(A)) {
            CompletableFuture<Lease> waiting = other.acquireAsync(A).toCompletableFuture();
            await().until(() -> locks.inspect(A).waiting() == 1);
            assertThat(instance(shown, null).held()).singleElement().satisfies(held -> {
                assertThat(held.locks()).containsExactly("account.a");
                assertThat(held.scope()).isEqualTo("account");
                assertThat(held.owner()).isEqualTo(lease.owner());
                assertThat(held.label()).contains("/" + Thread.currentThread().getName());
                assertThat(held.token()).isEqualTo(lease.fencingToken());
                assertThat(held.remainingMillis()).isBetween(1L, 30_000L);
                assertThat(held.queue()).hasSize(1);
            });
            waiting.cancel(false);
        }
        assertThat(instance(shown, null).held()).isEmpty();
    }

    @Test
    void sharedLockHasAllItsReaders() {
        LockRequest read = A.mode(LockMode.SHARED);
        try (Lease mine = locks.acquire(read.expire(Duration.ofSeconds(10)));
                Lease theirs = other.acquire(read.expire(Duration.ofSeconds(20)))) {
            LockReports.Lock lock = shown.lock("account.a", null, null);
            assertThat(lock.readers())
                    .extracting(LockReports.Holder::owner)
                    .containsExactlyInAnyOrder(mine.owner(), theirs.owner());
            assertThat(lock.readers()).extracting(LockReports.Holder::token).containsOnly(mine.fencingToken());
            assertThat(lock.holder())
                    .as("its lease ends last")
                    .satisfies(holder -> assertThat(holder.owner()).isEqualTo(theirs.owner()));
            assertThat(instance(shown, null).held()).singleElement().satisfies(held -> {
                assertThat(held.owner()).isEqualTo(mine.owner());
                assertThat(held.remainingMillis()).as("of its own lease").isBetween(1L, 10_000L);
            });
        }
        try (Lease writer = locks.acquire(A)) {
            assertThat(writer.isHeld()).isTrue();
            assertThat(shown.lock("account.a", null, null).readers()).isNull();
        }
    }

    @Test
    void semaphoreHasItsSizeAndAllItsHolders() {
        LockRequest permits = A.permits(new LockPermits(3, 2));
        try (Lease theirs = other.acquire(permits.expire(Duration.ofSeconds(10)));
                Lease mine = locks.acquire(A.permits(new LockPermits(3, 1)).expire(Duration.ofSeconds(20)))) {
            CompletableFuture<Lease> waiting = locks.acquireAsync(permits).toCompletableFuture();
            await().until(() -> locks.inspect(permits).waiting() == 1);
            LockReports.Lock semaphore = shown.lock("account.a", null, true);
            assertThat(semaphore.permits().size()).isEqualTo(3);
            assertThat(semaphore.permits().used()).isEqualTo(3);
            assertThat(semaphore.permits().holders())
                    .extracting(LockReports.Holder::owner, LockReports.Holder::permits)
                    .containsExactly(tuple(theirs.owner(), 2), tuple(mine.owner(), 1));
            assertThat(semaphore.readers()).isNull();
            assertThat(semaphore.waiting()).isEqualTo(1);
            assertThat(instance(shown, null).held()).singleElement().satisfies(held -> {
                assertThat(held.permits()).isEqualTo(1);
                assertThat(held.token()).isEqualTo(mine.fencingToken());
                assertThat(held.remainingMillis()).as("of its own lease").isBetween(10_001L, 20_000L);
                assertThat(held.queue()).hasSize(1);
            });
            assertThat(instance(shown, null).waiting()).singleElement().satisfies(request -> {
                assertThat(request.permits()).isEqualTo(2);
                assertThat(request.holder().owner()).as("its lease ends first").isEqualTo(theirs.owner());
            });
            assertThat(instance(shown, null).deadlocks()).isEmpty();
            waiting.cancel(false);
        }
    }

    @Test
    void semaphoreAndLockOfOneNameAreApart() {
        Lease permits = other.acquire(A.permits(3).onLost(OnLost.LOG));
        try (Lease lock = locks.acquire(A)) {
            assertThat(fleet(shown, null, "0").locks())
                    .extracting(LockReports.Lock::name, one -> one.permits() != null)
                    .containsExactlyInAnyOrder(tuple("account.a", true), tuple("account.a", false));
            assertThat(shown.lock("account.a", null, false).holder().owner()).isEqualTo(lock.owner());
            assertThat(shown.lock("account.a", null, null).permits()).isNull();
            assertThat(instance(shown, null).held())
                    .singleElement()
                    .satisfies(held -> assertThat(held.permits()).isNull());

            LockReports.Released released = shown.forceRelease("account.a", null, true);
            assertThat(released.released()).isTrue();
            assertThat(released.holder().owner()).isEqualTo(permits.owner());
            await().until(() -> !permits.isHeld());
            assertThat(lock.isHeld()).isTrue();
            assertThat(published)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            AuditApplicationEvent.class,
                            event -> assertThat(event.getAuditEvent().getData())
                                    .containsEntry("lock", "account.a")
                                    .containsEntry("semaphore", true)
                                    .containsEntry("released", true));
        }
    }

    @Test
    void waitAtAConditionIsListed() throws Exception {
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            try (Lease lease = locks.acquire(A.owner("taker").waitUnbounded())) {
                return lease.condition("notEmpty").await(Duration.ofSeconds(60)).inTime();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
        });
        await().until(() -> !instance(shown, null).atConditions().isEmpty());
        assertThat(instance(shown, "account").atConditions()).singleElement().satisfies(one -> {
            assertThat(one.locks()).containsExactly("account.a");
            assertThat(one.condition()).isEqualTo("notEmpty");
            assertThat(one.label()).endsWith("/taker");
        });
        assertThat(instance(shown, "report").atConditions()).isEmpty();
        assertThat(instance(shown, null).waiting()).isEmpty();
        await().until(() -> !locks.isLocked(A));
        try (Lease signaller = other.acquire(A)) {
            signaller.condition("notEmpty").signal();
        }
        assertThat(waiter.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(instance(shown, null).atConditions()).isEmpty();
    }

    @Test
    void awaitedLockHasItsHolder() {
        try (Lease lease = other.acquire(A)) {
            CompletableFuture<Lease> waiting = locks.acquireAsync(A).toCompletableFuture();
            await().until(() -> locks.inspect(A).waiting() == 1);
            assertThat(instance(shown, null).waiting()).singleElement().satisfies(request -> {
                assertThat(request.locks()).containsExactly("account.a");
                assertThat(request.holder().owner()).isEqualTo(lease.owner());
                assertThat(request.holder().token()).isEqualTo(lease.fencingToken());
            });
            waiting.cancel(false);
        }
        await().until(() -> instance(shown, null).waiting().isEmpty());
    }

    @Test
    void scopeFilters() {
        try (Lease account = locks.acquire(A);
                Lease report = locks.acquire(LockRequest.of("report"))) {
            assertThat(instance(shown, "report").held())
                    .singleElement()
                    .satisfies(held -> assertThat(held.locks()).containsExactly("report.global"));
            assertThat(fleet(shown, "report", "0").locks())
                    .singleElement()
                    .satisfies(lock -> assertThat(lock.name()).isEqualTo("report.global"));
            assertThat(fleet(shown, "rep*", "0").locks()).isEmpty();
        }
    }

    @Test
    void fleetListsTheLocksOfAllProcesses() {
        try (Lease mine = locks.acquire(A);
                Lease theirs = other.acquire(B)) {
            assertThat(fleet(shown, null, "0").locks())
                    .extracting(LockReports.Lock::name)
                    .containsExactlyInAnyOrder("account.a", "account.b");
            assertThat(fleet(shown, null, "0").next()).isNull();
            assertThat(instance(shown, null).held()).hasSize(1);
        }
    }

    @Test
    void singleLockIsReportedByItsName() {
        try (Lease lease = other.acquire(A)) {
            assertThat(shown.lock("account.a", null, null).holder().owner()).isEqualTo(lease.owner());
            assertThat(shown.lock("account.b", null, null).holder()).isNull();
        }
    }

    @Test
    void deadlockOfTwoProcessesIsNamedWithBothHolders() {
        Lease mine = locks.acquire(A.owner("mine"));
        Lease theirs = other.acquire(B.owner("theirs"));
        CompletableFuture<Lease> here = locks.acquireAsync(B.owner("mine")).toCompletableFuture();
        assertThat(instance(shown, null).deadlocks()).isEmpty();
        CompletableFuture<Lease> there = other.acquireAsync(A.owner("theirs")).toCompletableFuture();
        await().until(() -> !instance(shown, null).deadlocks().isEmpty());
        for (List<LockReports.Deadlock> deadlocks : List.of(
                instance(shown, null).deadlocks(), fleet(shown, null, "0").deadlocks())) {
            assertThat(deadlocks)
                    .singleElement()
                    .satisfies(deadlock -> assertThat(deadlock.members())
                            .hasSize(2)
                            .anySatisfy(member -> {
                                assertThat(member.owner()).isEqualTo(mine.owner());
                                assertThat(member.holds()).isEqualTo("account.a");
                                assertThat(member.waitsFor()).isEqualTo("account.b");
                            })
                            .anySatisfy(member -> {
                                assertThat(member.owner()).isEqualTo(theirs.owner());
                                assertThat(member.label()).endsWith("/theirs");
                                assertThat(member.holds()).isEqualTo("account.b");
                                assertThat(member.waitsFor()).isEqualTo("account.a");
                            }));
        }
        here.cancel(false);
        there.cancel(false);
        mine.close();
        theirs.close();
    }

    /**
     * This process asks only for locks that it holds or awaits, and so not for the lock between the other two
     * processes.
     */
    @Test
    void deadlockOfThreeProcessesIsOnThePageOfTheFleetOnly() {
        LockRequest third = LockRequest.of("account", "c");
        LockTemplate last = LockTemplate.builder(store.newProcess())
                .time(store.clock())
                .shutdownAwait(Duration.ZERO)
                .build();
        try (last;
                Lease one = locks.acquire(A.owner("one"));
                Lease two = other.acquire(B.owner("two"));
                Lease three = last.acquire(third.owner("three"))) {
            List<CompletableFuture<Lease>> waiting = List.of(
                    locks.acquireAsync(B.owner("one")).toCompletableFuture(),
                    other.acquireAsync(third.owner("two")).toCompletableFuture(),
                    last.acquireAsync(A.owner("three")).toCompletableFuture());
            await().until(() -> !fleet(shown, null, "0").deadlocks().isEmpty());
            assertThat(fleet(shown, null, "0").deadlocks())
                    .singleElement()
                    .satisfies(deadlock -> assertThat(deadlock.members())
                            .extracting(LockReports.Member::holds)
                            .containsExactlyInAnyOrder("account.a", "account.b", "account.c"));
            assertThat(instance(shown, null).held()).hasSize(1);
            assertThat(instance(shown, null).waiting()).hasSize(1);
            assertThat(instance(shown, null).deadlocks()).isEmpty();
            waiting.forEach(request -> request.cancel(false));
        }
    }

    @Test
    void keysAreHiddenByDefault() {
        LocksEndpoint sanitizing = endpoint(Show.NEVER);
        try (Lease lease = locks.acquire(A)) {
            assertThat(instance(sanitizing, null).held().get(0).locks()).containsExactly("account.******");
            assertThat(fleet(sanitizing, null, "0").locks().get(0).name()).isEqualTo("account.******");
            assertThat(instance(endpoint(Show.WHEN_AUTHORIZED), null)
                            .held()
                            .get(0)
                            .locks())
                    .containsExactly("account.******");
        }
    }

    @Test
    void forceReleaseRevokesTheLockAndIsAudited() {
        Lease lease = other.acquire(A);
        LockReports.Released released = shown.forceRelease("account.a", null, null);
        assertThat(released.released()).isTrue();
        assertThat(released.holder().owner()).isEqualTo(lease.owner());
        await().until(() -> !lease.isHeld());
        assertThat(published).singleElement().isInstanceOfSatisfying(AuditApplicationEvent.class, event -> {
            assertThat(event.getAuditEvent().getType()).isEqualTo(ForceReleaseAudit.FORCE_RELEASED);
            assertThat(event.getAuditEvent().getData())
                    .containsEntry("lock", "account.a")
                    .containsEntry("released", true);
        });
        assertThat(shown.forceRelease("account.a", null, null).released()).isFalse();
    }

    private static LockReports.Instance instance(LocksEndpoint endpoint, String scope) {
        return (LockReports.Instance) endpoint.locks(scope, null);
    }

    private static LockReports.Fleet fleet(LocksEndpoint endpoint, String scope, String cursor) {
        return (LockReports.Fleet) endpoint.locks(scope, cursor);
    }
}
