package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.EndReply.Role;
import dev.baton.lock.support.FakeLockStore.Sent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link Lease#renewOrReacquire}. */
class ReacquireTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private final FakeLockStore store = new FakeLockStore();
    private final LockTemplate template =
            LockTemplate.builder(store).recheck(HOUR).expire(HOUR).build();
    private final ExecutorService holder = Executors.newSingleThreadExecutor();
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        holder.shutdownNow();
        other.shutdownNow();
        template.engine().executors().stop();
    }

    @Test
    void heldLeaseIsExtended() {
        DefaultLease lease = hold(LockRequest.of("x").expire(Duration.ofMinutes(1)));
        CompletableFuture<Optional<Lease>> again = asks(() -> lease.renewOrReacquire(HOUR));
        store.nextRenewal().answer(List.of(List.of()));

        assertThat(TestEngine.get(again)).containsSame(lease);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(59));
        assertThat(store.acquires).isEmpty();
    }

    @Test
    void lostLockIsReacquiredAfterTheEndOfItsTicket() {
        DefaultLease lease = hold(LockRequest.of("x").expire(Duration.ofMinutes(1)));
        CompletableFuture<Optional<Lease>> again = asks(() -> lease.renewOrReacquire(HOUR));
        store.nextRenewal().answer(List.of(lease.hold().key.names()));
        var end = store.nextEnd();
        assertThat(end.command().id())
                .isEqualTo(lease.hold().acquisition.ticket().id());
        assertThat(store.acquires).as("the store may still know the old ticket").isEmpty();
        end.answer(TestEngine.ended(Role.NOTHING));
        answerEnds();
        Sent<AcquireCommand, AcquireReply> acquire = store.nextAcquire();
        assertThat(acquire.command().requests().get(0)).satisfies(request -> {
            assertThat(request.kind()).isEqualTo(AcquireCommand.Kind.TRY);
            assertThat(request.leaseMillis()).isEqualTo(HOUR.toMillis());
            assertThat(request.owner()).as("not the calling thread").isEqualTo(lease.owner());
            assertThat(request.label())
                    .isEqualTo(lease.hold().acquisition.spec().label());
        });
        acquire.answer(TestEngine.granted(8));

        Lease fresh = TestEngine.get(again).orElseThrow();
        assertThat(fresh.fencingToken()).isEqualTo(8);
        assertThat(fresh.isHeld()).isTrue();
        assertThat(((DefaultLease) fresh).hold().acquisition.spec().renewed())
                .as("same as the first lease")
                .isFalse();
        assertThat(lease.isHeld()).as("a lost lease stays lost").isFalse();
        assertThat(lease.isExpired()).isTrue();
        assertThatThrownBy(lease::close).isInstanceOf(LockLostException.class);
        CompletableFuture<Lease> reentered =
                asks(() -> template.acquire(LockRequest.of("x").expire(Duration.ofMinutes(1))), holder);
        assertThat(TestEngine.get(reentered).fencingToken())
                .as("the owner holds the lock again")
                .isEqualTo(8);
    }

    @Test
    void minimumHoldIsLimitedToTheNewLease() {
        DefaultLease lease = hold(LockRequest.of("x").expire(HOUR).holdAtLeast(HOUR));
        CompletableFuture<Optional<Lease>> again = asks(() -> lease.renewOrReacquire(Duration.ofMinutes(1)));
        store.nextRenewal().answer(List.of(lease.hold().key.names()));
        answerEnds();
        store.nextAcquire().answer(TestEngine.granted(8));
        Lease fresh = TestEngine.get(again).orElseThrow();
        assertThat(fresh.isHeld()).isTrue();

        CompletableFuture<Boolean> released = asks(fresh::release);
        var end = store.nextEnd();
        assertThat(end.command().keepMillis()).isBetween(30_000L, 60_000L);
        end.answer(TestEngine.ended(Role.HOLDER));
        assertThat(TestEngine.get(released)).isTrue();
    }

    @Test
    void lockHeldByAnotherOwnerIsNotReacquired() {
        DefaultLease lease = hold(LockRequest.of("x"));
        CompletableFuture<Optional<Lease>> again = asks(() -> lease.renewOrReacquire(HOUR));
        store.nextRenewal().answer(List.of(lease.hold().key.names()));
        answerEnds();
        store.nextAcquire().answer(TestEngine.busy(9));

        assertThat(TestEngine.get(again)).isEmpty();
        assertThat(lease.isExpired()).isTrue();
    }

    @Test
    void newHoldOfTheOwnerIsReentered() {
        LockRequest request = LockRequest.of("x").owner("conn-17");
        DefaultLease lease = hold(request);
        DefaultLease second = (DefaultLease) template.acquire(request);
        template.engine()
                .leases()
                .lost(
                        lease.hold().acquisition.ticket(),
                        lease.hold().acquisition.lastGrant(),
                        "it was deleted");
        CompletableFuture<Optional<Lease>> one = asks(() -> lease.renewOrReacquire(HOUR));
        answerEnds();
        store.nextAcquire().answer(TestEngine.granted(8));
        Lease fresh = TestEngine.get(one).orElseThrow();
        CompletableFuture<Optional<Lease>> two = asks(() -> second.renewOrReacquire(Duration.ofMinutes(30)));
        store.nextEnd().answer(TestEngine.ended(Role.NOTHING));

        assertThat(TestEngine.get(two)).hasValueSatisfying(lease2 -> {
            assertThat(lease2.fencingToken()).isEqualTo(8);
            assertThat(lease2).isNotSameAs(fresh);
        });
    }

    @Test
    void releasedLeaseIsRefused() {
        DefaultLease lease = hold(LockRequest.of("x"));
        CompletableFuture<Boolean> released = asks(lease::release);
        store.nextEnd().answer(TestEngine.ended(Role.HOLDER));
        assertThat(TestEngine.get(released)).isTrue();

        assertThatThrownBy(() -> lease.renewOrReacquire(HOUR))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Lock 'x.global' cannot be renewed: this lease (token 7) has been released; acquire the lock"
                                + " again");
        assertThat(store.acquires).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> lease.renewOrReacquire(Duration.ZERO));
    }

    /** Answers the end caused by the loss, and the awaited end, until the next acquire. Both may be the same end. */
    private void answerEnds() {
        Awaitility.await().until(() -> {
            for (var end = store.ends.poll(); end != null; end = store.ends.poll()) {
                end.answer(TestEngine.ended(Role.NOTHING));
            }
            return !store.acquires.isEmpty();
        });
    }

    private DefaultLease hold(LockRequest request) {
        CompletableFuture<Lease> lease = asks(() -> template.acquire(request), holder);
        store.nextAcquire().answer(TestEngine.granted(7));
        return (DefaultLease) TestEngine.get(lease);
    }

    private <T> CompletableFuture<T> asks(Supplier<T> call) {
        return asks(call, other);
    }

    private static <T> CompletableFuture<T> asks(Supplier<T> call, ExecutorService thread) {
        return CompletableFuture.supplyAsync(call, thread);
    }
}
