package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Over;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ExchangeReply;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the model of the cohort found to go wrong without a mechanism. A class per mechanism, each by the name of its switch in
 * the model; see {@link SpecRowTests}.
 */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SpecCohortRowTests {

    /** A queue lives for three of these: long enough for what a test does meanwhile. */
    private static final Duration SOON = Duration.ofMillis(500);

    private static final int LIMIT = 8;
    private static final Duration LONG = Duration.ofSeconds(6);

    private final Scene scene;

    SpecCohortRowTests(Backend backend) {
        scene = new Scene(backend);
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    /** An id is used for one block: a late copy of the exchange that began a block must not end it. */
    @Nested
    class FreshId {

        @Test
        void lateCopyOfAnExchangeDoesNotEndTheHolder() throws Exception {
            Scene.Actor actor = cohort(SOON);
            Lease first = actor.acquire();
            Future<Lease> waiter = actor.waits();
            awaitWaiting(actor, 1);
            ScriptedStore.Parcel<ExchangeCommand, ExchangeReply> late = releasedInVain(actor, first);
            Lease granted = waiter.get(10, TimeUnit.SECONDS);
            String holder = scene.holder();
            late.carryOut();
            assertThat(scene.holder()).isEqualTo(holder);
            assertThat(granted.isHeld()).isTrue();
            assertThat(granted.release()).isTrue();
        }
    }

    /** A member that is passed a lock holds it until the end of the block, not for a lease from then on. */
    @Nested
    class FixSharedEnd {

        @Test
        void leaseThatIsPassedOnEndsWithTheBlock() throws Exception {
            Scene.Actor actor = cohort(Scene.NEVER);
            LockRequest request = LockRequest.of("x").expire(LONG).waitUnbounded();
            Lease first = actor.locks.acquire(request);
            Future<Lease> second = actor.asks(request);
            awaitWaiting(actor, 1);
            Future<Lease> third = actor.asks(request);
            awaitWaiting(actor, 2);
            assertThat(first.release()).isTrue();
            long granted = System.nanoTime();
            Lease holder = second.get(5, TimeUnit.SECONDS);
            await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - granted > 500_000_000L);
            int ends = actor.store.ends.sent() + actor.store.exchanges.sent();
            assertThat(holder.release()).isTrue();
            Lease passed = third.get(5, TimeUnit.SECONDS);
            assertThat(actor.store.ends.sent() + actor.store.exchanges.sent())
                    .as("passed on without a command")
                    .isEqualTo(ends);
            long now = System.nanoTime();
            assertThat(passed.remaining()).isLessThanOrEqualTo(Duration.ofNanos(granted + LONG.toNanos() - now));
            assertThat(passed.release()).isTrue();
        }
    }

    /** A grant message that is older than the last busy answer is not believed. */
    @Nested
    class FixStale {

        @Test
        void overtakenMessageGrantsNoRequest() throws Exception {
            Scene.Actor first = cohort(Scene.NEVER);
            Scene.Actor second = cohort(SOON);
            Scene.Actor third = cohort(Scene.NEVER);
            second.store.holdMessages();
            Lease lease = first.acquire();
            Future<Lease> waiter = second.waits();
            awaitWaiting(second, 1);
            scene.awaitQueued(1);
            Future<Lease> other = second.waits();
            awaitWaiting(second, 2);
            second.store.acquires.hold();
            assertThat(lease.release()).isTrue();
            ScriptedStore.Message message = second.store.nextMessage();
            scene.redis.command("DEL", Scene.LOCK);
            Lease taken = third.acquire();
            // it asks, and is told to wait
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> question = second.store.acquires.next();
            second.store.acquires.pass();
            question.pass();
            scene.awaitQueued(1);
            message.deliver();
            second.settle();
            assertThat(waiter).isNotDone();
            assertThat(other).isNotDone();
            assertThat(taken.isHeld()).isTrue();
            assertThat(taken.release()).isTrue();
            second.store.nextMessage().deliver();
            assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
            // passed on: the block was granted when it had waited
            assertThat(other.get(5, TimeUnit.SECONDS).release()).isTrue();
        }
    }

    /** The tokens of the whole block are reserved by its grant. */
    @Nested
    class FixReserve {

        @Test
        void tokensOfPassesAreNotGivenAgain() throws Exception {
            Scene.Actor actor = cohort(Scene.NEVER);
            Scene.Actor other = cohort(Scene.NEVER);
            Lease first = actor.acquire();
            Future<Lease> second = actor.waits();
            awaitWaiting(actor, 1);
            Future<Lease> third = actor.waits();
            awaitWaiting(actor, 2);
            assertThat(first.release()).isTrue();
            Lease granted = second.get(5, TimeUnit.SECONDS);
            Future<Lease> remote = other.waits();
            scene.awaitQueued(1);
            long kept = fence();
            assertThat(granted.release()).isTrue();
            Lease passed = third.get(5, TimeUnit.SECONDS);
            assertThat(passed.fencingToken())
                    .isEqualTo(granted.fencingToken() + 1)
                    .isLessThanOrEqualTo(kept);
            assertThat(passed.release()).isTrue();
            Lease next = remote.get(5, TimeUnit.SECONDS);
            assertThat(next.fencingToken()).isGreaterThan(kept);
            assertThat(next.release()).isTrue();
        }

        @Test
        void tokensOfABlockThatOneAloneHasAskedForAreNotGivenAgain() throws Exception {
            Scene.Actor actor = cohort(Scene.NEVER);
            Scene.Actor other = cohort(Scene.NEVER);
            Lease first = other.acquire();
            Future<Lease> second = actor.waits();
            scene.awaitQueued(1);
            Future<Lease> third = actor.waits();
            awaitWaiting(actor, 2);
            assertThat(first.release()).isTrue();
            Lease granted = second.get(5, TimeUnit.SECONDS);
            Future<Lease> remote = other.waits();
            scene.awaitQueued(1);
            long kept = fence();
            assertThat(granted.release()).isTrue();
            Lease passed = third.get(5, TimeUnit.SECONDS);
            assertThat(actor.store.exchanges.sent()).as("it kept its turn").isZero();
            assertThat(passed.fencingToken())
                    .isEqualTo(granted.fencingToken() + 1)
                    .isLessThanOrEqualTo(kept);
            assertThat(passed.release()).isTrue();
            Lease next = remote.get(5, TimeUnit.SECONDS);
            assertThat(next.fencingToken()).isGreaterThan(kept);
            assertThat(next.release()).isTrue();
        }

        /** The highest token given so far, or kept. */
        private long fence() {
            return Long.parseLong(String.valueOf(scene.redis.command("GET", "lock:fence")));
        }
    }

    /** The end of a block is owed until it is answered. */
    @Nested
    class FixOwe {

        @Test
        void exchangeThatIsLostLeavesNoGhostHolder() throws Exception {
            Scene.Actor actor = cohort(Scene.NEVER);
            Lease first = actor.acquire();
            Future<Lease> waiter = actor.waits();
            awaitWaiting(actor, 1);
            releasedInVain(actor, first);
            // a lease of 30 s would pass otherwise
            Lease granted = waiter.get(5, TimeUnit.SECONDS);
            assertThat(granted.release()).isTrue();
            actor.awaitNothingOpen();
            assertNoGhost();
        }
    }

    /** The end of a block leaves a mark if its acquire, or the exchange that began it, is unanswered. */
    @Nested
    class FixMark {

        @Test
        void exchangeThatRunsAfterTheEndOfItsBlockMakesNoGhost() throws Exception {
            Scene.Actor actor = cohort(Scene.NEVER);
            Lease first = actor.acquire();
            Future<Lease> waiter = actor.waits();
            awaitWaiting(actor, 1);
            actor.store.exchanges.hold();
            Future<Boolean> released = released(first);
            ScriptedStore.Parcel<ExchangeCommand, ExchangeReply> late = actor.store.exchanges.next();
            waiter.cancel(true);
            awaitWaiting(actor, 0);
            late.timeOut();
            assertThat(released.get(5, TimeUnit.SECONDS)).isTrue();
            actor.awaitNothingOpen();
            AcquireReply acquired = late.carryOut().acquired();
            assertThat(acquired.answers()).containsExactly(new Over());
            assertNoGhost();
        }
    }

    /** The process asks again for the members that wait behind a lost block. */
    @Nested
    class FixLostNext {

        @Test
        void waiterBehindABlockThatIsLostIsGranted() throws Exception {
            Scene.Actor actor = cohort(Scene.NEVER);
            Scene.Actor other = cohort(Scene.NEVER);
            Lease first = actor.acquire();
            Future<Lease> waiter = actor.waits();
            awaitWaiting(actor, 1);
            assertThat(other.locks.forceRelease(LockRequest.of("x"))).isTrue();
            Lease granted = waiter.get(3, TimeUnit.SECONDS);
            assertThat(first.isHeld()).isFalse();
            assertThat(granted.fencingToken()).isGreaterThan(first.fencingToken());
            assertThat(granted.release()).isTrue();
            assertThat(first.release()).isFalse();
            actor.awaitNothingOpen();
            assertNoGhost();
        }
    }

    private Scene.Actor cohort(Duration recheck) {
        return scene.actor(
                scene.redis.host(),
                scene.redis.port(),
                builder -> builder.recheck(recheck).cohortLimit(LIMIT).cohortMaxTime(LONG));
    }

    /** Releases; the exchange that this needs is held back, and not answered. */
    private static ScriptedStore.Parcel<ExchangeCommand, ExchangeReply> releasedInVain(Scene.Actor actor, Lease lease)
            throws Exception {
        actor.store.exchanges.hold();
        Future<Boolean> released = released(lease);
        ScriptedStore.Parcel<ExchangeCommand, ExchangeReply> parcel = actor.store.exchanges.next();
        actor.store.exchanges.pass();
        parcel.timeOut();
        assertThat(released.get(5, TimeUnit.SECONDS)).isTrue();
        return parcel;
    }

    private static Future<Boolean> released(Lease lease) {
        return lease.releaseAsync().toCompletableFuture();
    }

    private static void awaitWaiting(Scene.Actor actor, int count) {
        await().atMost(Duration.ofSeconds(5))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> actor.engine().placed() == count);
    }

    private void assertNoGhost() {
        assertThat(scene.redis.lastingKeys()).isSubsetOf("lock:fence");
    }
}
