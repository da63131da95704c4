package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.LockHolder;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitTime;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.engine.ticket.Outcome;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import dev.baton.lock.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests several threads that acquire a lock for one chosen owner at the same time. */
class OwnerCoordinatorTests {

    private static final LockRequest REQUEST =
            LockRequest.of("x").owner("conn-17").waitTime(Duration.ofSeconds(20));

    private final FakeLockStore store = new FakeLockStore();
    private final LockTemplate template = LockTemplate.builder(store)
            .recheck(Duration.ofHours(1))
            .expire(Duration.ofHours(1))
            .build();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        template.engine().executors().stop();
    }

    @Test
    void grantOfOneThreadAdmitsTheOtherThreadsOfItsOwner() throws Exception {
        CompletableFuture<Lease> one = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> first = store.nextAcquire();
        CompletableFuture<Lease> other = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> second = store.nextAcquire();
        second.answer(TestEngine.busy(5));
        first.answer(TestEngine.granted(7));

        Lease lease = TestEngine.get(one);
        Lease shared = TestEngine.get(other);
        assertThat(shared.fencingToken()).isEqualTo(lease.fencingToken()).isEqualTo(7);
        assertThat(shared.owner()).isEqualTo(lease.owner()).endsWith(":o:conn-17");
        assertThat(shared.attempts()).as("a re-entry").isZero();
        var left = store.nextEnd();
        assertThat(left.command().id())
                .as("the second ticket leaves the queue")
                .isEqualTo(second.command().requests().get(0).id());
        left.answer(TestEngine.ended(Role.WAITER));

        assertThat(lease.release()).isTrue();
        assertThat(shared.isHeld()).isTrue();
        assertThat(store.ends).as("only the last release releases the lock").isEmpty();
        CompletableFuture<Boolean> released = asks(shared::release);
        store.nextEnd().answer(TestEngine.ended(Role.HOLDER));
        assertThat(TestEngine.get(released)).isTrue();
        assertThat(template.engine().openRequests()).isZero();
    }

    @Test
    void tryIsGrantedTheLockOfItsOwner() {
        CompletableFuture<Lease> one = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> first = store.nextAcquire();
        CompletableFuture<Optional<Lease>> other =
                asks(() -> template.tryAcquire(LockRequest.of("x").owner("conn-17")));
        store.nextAcquire().answer(TestEngine.reply(busyBy(ownerOf(first), 7)));
        Sent<AcquireCommand, AcquireReply> again = store.nextAcquire();
        again.answer(TestEngine.reply(busyBy(ownerOf(first), 7)));
        first.answer(TestEngine.granted(7));

        assertThat(TestEngine.get(one).fencingToken()).isEqualTo(7);
        assertThat(TestEngine.get(other))
                .hasValueSatisfying(lease -> assertThat(lease.fencingToken()).isEqualTo(7));
    }

    /** Only the answer to the first acquire could show the grant of the owner, and that answer is late. */
    @Test
    void waitEndsInTimeAlthoughItsOwnerSeemsToHoldTheLock() {
        CompletableFuture<Lease> one = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> first = store.nextAcquire();
        LockRequest brief = REQUEST.waitTime(Duration.ofMillis(200));
        for (Supplier<Lease> asking : List.<Supplier<Lease>>of(
                () -> template.acquire(brief),
                () -> template.acquireAsync(brief).toCompletableFuture().join())) {
            CompletableFuture<Lease> other = asks(asking);
            store.nextAcquire().answer(TestEngine.reply(busyBy(ownerOf(first), 7)));

            assertThatThrownBy(() -> other.get(5, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(LockTimeoutException.class)
                    .rootCause()
                    .hasMessageContaining("'x.global'");
            assertThat(store.acquires).as("no further acquire is sent").isEmpty();
        }
        first.answer(TestEngine.granted(7));
        assertThat(TestEngine.get(one).isHeld()).isTrue();
    }

    @Test
    void tryIsRefusedAtOnceIfAnotherOwnerHoldsTheLock() {
        CompletableFuture<Lease> one = asks(() -> template.acquire(REQUEST));
        store.nextAcquire().answer(TestEngine.busy(5));
        CompletableFuture<Optional<Lease>> other =
                asks(() -> template.tryAcquire(LockRequest.of("x").owner("conn-17")));
        store.nextAcquire().answer(TestEngine.busy(5));

        assertThat(TestEngine.get(other)).isEmpty();
        assertThat(one).isNotDone();
    }

    @Test
    void tryIsRefusedAtOnceIfTheLockOfItsOwnerIsKept() {
        String owner = template.engine().process() + ":o:conn-17";
        CompletableFuture<Optional<Lease>> one =
                asks(() -> template.tryAcquire(LockRequest.of("x").owner("conn-17")));
        store.nextAcquire().answer(TestEngine.reply(busyBy(owner, 5)));

        assertThat(TestEngine.get(one)).isEmpty();
        assertThat(store.acquires).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tryIsRefusedAtOnceIfTheLockOfItsOwnerIsKeptAndAnotherThreadWaits(boolean together) {
        store.reserving = together;
        CompletableFuture<Lease> waiting = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> first = store.nextAcquire();
        first.answer(TestEngine.reply(busyBy(ownerOf(first), 7)));
        CompletableFuture<Optional<Lease>> one =
                asks(() -> template.tryAcquire(LockRequest.of("x").owner("conn-17")));
        if (!together) {
            store.nextAcquire().answer(TestEngine.reply(busyBy(ownerOf(first), 7)));
        }

        assertThat(one).succeedsWithin(Duration.ofSeconds(1)).isEqualTo(Optional.empty());
        assertThat(store.acquires).as("only one acquire is sent").isEmpty();
        assertThat(waiting).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void asyncTryIsRefusedAtOnceIfTheLockOfItsOwnerIsKept(boolean together) {
        store.reserving = together;
        CompletableFuture<Lease> waiting = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> first = store.nextAcquire();
        first.answer(TestEngine.reply(busyBy(ownerOf(first), 7)));
        CompletableFuture<Lease> one =
                template.acquireAsync(REQUEST.waitTime(WaitTime.none())).toCompletableFuture();
        if (!together) {
            store.nextAcquire().answer(TestEngine.reply(busyBy(ownerOf(first), 7)));
        }

        assertThat(one)
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .withCauseInstanceOf(LockTimeoutException.class);
        assertThat(waiting).isNotDone();
    }

    @Test
    void nonReentrantRequestFailsWhenAnotherThreadOfItsOwnerIsGranted() {
        CompletableFuture<Lease> one = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> first = store.nextAcquire();
        CompletableFuture<Lease> other = asks(() -> template.acquire(REQUEST.reentrant(false)));
        store.nextAcquire().answer(TestEngine.busy(5));
        first.answer(TestEngine.granted(7));

        TestEngine.get(one);
        assertThatThrownBy(() -> other.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(LockDeadlockException.class);
    }

    @Test
    void waiterKeepsWaitingWhenAnotherThreadGivesUp() {
        CompletableFuture<Optional<Lease>> one =
                asks(() -> template.tryAcquire(REQUEST.waitTime(Duration.ofSeconds(1))));
        store.nextAcquire().answer(TestEngine.busy(5));
        CompletableFuture<Lease> other = asks(() -> template.acquire(REQUEST));
        Sent<AcquireCommand, AcquireReply> second = store.nextAcquire();

        assertThat(TestEngine.get(one)).isEmpty();
        second.answer(TestEngine.granted(8));
        assertThat(TestEngine.get(other).fencingToken()).isEqualTo(8);
    }

    @Test
    void grantBetweenTheCheckAndTheAcquireIsSeen() {
        ReentrantHold.Key key = new ReentrantHold.Key("o:conn-17", TestEngine.NAME);
        try (TestEngine test = new TestEngine()) {
            Acquisition acquisition =
                    TestEngine.acquisition(TestEngine.waits(Duration.ofMinutes(1)), test.time.nanoTime());
            DefaultLease lease = test.lease(test.hold(TestEngine.waits(Duration.ofMinutes(1)), 7));
            OwnerCoordinator owners = new OwnerCoordinator(
                    held -> true, test.time, Duration.ofSeconds(2).toNanos());
            owners.acquire(key, "i:o:conn-17", REQUEST, WaitTime.unbounded(), new OwnerCoordinator.Attempt() {
                @Override
                public DefaultLease make(LockRequest request, Consumer<Acquisition> begun) {
                    begun.accept(acquisition);
                    return lease;
                }

                @Override
                public DefaultLease enter() {
                    throw new AssertionError("the acquisition must not enter the hold yet");
                }
            });
            assertThat(acquisition.settled).isCompletedWithValue(Outcome.REFUSED);
            assertThat(owners.size()).isZero();
        }
    }

    @Test
    void ownerThatFinishesBetweenTheTwoChecksWasGranted() {
        ReentrantHold.Key key = new ReentrantHold.Key("o:conn-17", TestEngine.NAME);
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        OwnerCoordinator owners = new OwnerCoordinator(
                held -> {
                    meanwhile.get().run();
                    return false;
                },
                TimeSource.SYSTEM,
                0);
        OwnerCoordinator.Asker granted = owners.ask(key);
        OwnerCoordinator.Asker refused = owners.ask(key);
        meanwhile.set(() -> owners.ended(granted, true));

        LockTimeoutException byItsOwner = new LockTimeoutException(
                "x", Duration.ZERO, new LockHolder("web-3", "i:o:conn-17", 7, Duration.ZERO, Duration.ofHours(1)));
        assertThat(owners.isOurs(refused, "i:o:conn-17", byItsOwner)).isTrue();
    }

    @Test
    void threadsAreSeparateOwners() {
        CompletableFuture<Lease> one = asks(() -> template.acquire(REQUEST.owner(null)));
        Sent<AcquireCommand, AcquireReply> first = store.nextAcquire();
        CompletableFuture<Lease> other = asks(() -> template.acquire(REQUEST.owner(null)));
        store.nextAcquire().answer(TestEngine.busy(5));
        first.answer(TestEngine.granted(7));

        TestEngine.get(one);
        await().during(Duration.ofMillis(100)).until(() -> !other.isDone());
    }

    private static String ownerOf(Sent<AcquireCommand, AcquireReply> acquire) {
        return acquire.command().requests().get(0).owner();
    }

    private static AcquireReply.Busy busyBy(String owner, long mark) {
        return new AcquireReply.Busy(
                new LockHolder("web-3:4711/conn-17", owner, mark, Duration.ZERO, Duration.ofHours(1)), mark);
    }

    private <T> CompletableFuture<T> asks(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, threads);
    }
}
