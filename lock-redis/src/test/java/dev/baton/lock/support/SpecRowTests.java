package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.AcquireReply.Over;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the model of the protocol found to go wrong without a mechanism: commands and answers that cross. A class per mechanism,
 * each by the name of its switch in the model; {@link SpecQueueRowTests} has the others.
 */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SpecRowTests {

    /** A queue lives for three of these: long enough for what a test does meanwhile. */
    private static final Duration SOON = Duration.ofMillis(500);

    private static final Duration SHORT = Duration.ofMillis(600);

    private final Scene scene;

    SpecRowTests(Backend backend) {
        scene = new Scene(backend);
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    /** A grant that is told twice is one grant; answering the second copy with an end frees a lock in use. */
    @Nested
    class FixDup {

        @Test
        void messageAfterTheAnswerIsDropped() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(SOON);
            second.store.holdMessages();
            Lease lease = first.acquire();
            Future<Lease> waiter = second.waits();
            scene.awaitQueued(1);
            assertThat(lease.release()).isTrue();
            ScriptedStore.Message message = second.store.nextMessage();
            // learnt from its own question
            Lease granted = waiter.get(10, TimeUnit.SECONDS);
            message.deliver();
            assertHeldByOneGrant(second, granted, message);
        }

        @Test
        void answerAfterTheMessageIsDropped() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(SOON);
            Lease lease = first.acquire();
            second.store.holdMessages();
            Future<Lease> waiter = second.waits();
            scene.awaitQueued(1);
            second.store.acquires.hold();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> again = second.store.acquires.next();
            assertThat(lease.release()).isTrue();
            ScriptedStore.Message message = second.store.nextMessage();
            AcquireReply reply = again.carryOut();
            assertThat(reply.answers()).containsExactly(new Granted(message.token(), true));
            message.deliver();
            Lease granted = waiter.get(10, TimeUnit.SECONDS);
            again.answer(reply);
            assertHeldByOneGrant(second, granted, message);
        }

        private void assertHeldByOneGrant(Scene.Actor actor, Lease granted, ScriptedStore.Message message)
                throws InterruptedException {
            actor.settle();
            assertThat(actor.store.ends.sent()).as("ends").isZero();
            assertThat(scene.holder()).isEqualTo(message.id());
            assertThat(granted.isHeld()).isTrue();
            assertThat(granted.fencingToken()).isEqualTo(message.token());
            assertThat(granted.release()).isTrue();
        }
    }

    /** An acquire that runs after the end of its request makes a ghost, unless the end has left a mark. */
    @Nested
    class FixTomb {

        @Test
        void lateAcquireOfAWaiterIsRefused() {
            Scene.Actor actor = scene.actor(Scene.NEVER);
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> late =
                    abandoned(actor, LockRequest.of("x").waitTime(SHORT));
            assertThat(late.carryOut().answers()).containsExactly(new Over());
            assertNoGhost();
        }

        @Test
        void lateAcquireOfATryIsRefused() {
            Scene.Actor actor = scene.actor(
                    scene.redis.host(), scene.redis.port(), builder -> builder.commandTimeout(Duration.ofSeconds(1)));
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> late =
                    abandoned(actor, LockRequest.of("x").waitTime(Duration.ZERO));
            assertThat(late.command.requests().get(0).kind()).isEqualTo(AcquireCommand.Kind.TRY);
            assertThat(late.carryOut().answers()).containsExactly(new Over());
            assertNoGhost();
        }

        @Test
        void lateAcquireDoesNotQueueBehindAHolder() {
            Scene.Actor actor = scene.actor(Scene.NEVER);
            Lease lease = scene.actor(Scene.NEVER).acquire();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> late =
                    abandoned(actor, LockRequest.of("x").waitTime(SHORT));
            assertThat(late.carryOut().answers()).containsExactly(new Over());
            assertThat(scene.redis.keys()).doesNotContain(Scene.QUEUE);
            assertThat(lease.release()).isTrue();
            assertNoGhost();
        }

        /** An acquire that was held back until its request had ended, and whose answer no thread awaits any more. */
        private ScriptedStore.Parcel<AcquireCommand, AcquireReply> abandoned(Scene.Actor actor, LockRequest request) {
            actor.store.acquires.hold();
            Future<Lease> waiter = actor.asks(request);
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> late = actor.store.acquires.next();
            assertThatThrownBy(() -> waiter.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(LockStoreException.class);
            actor.awaitNothingOpen();
            return late;
        }
    }

    /** The same if the late acquire is answered: then the answer alone would do, and either of both has to be there. */
    @Nested
    class FixLateReply {

        @Test
        void answerForARequestThatHasEndedLeavesNoGhostHolder() throws Exception {
            Scene.Actor actor = scene.actor(Scene.NEVER);
            interrupted(actor).pass();
            actor.settle();
            actor.awaitNothingOpen();
            await().atMost(Duration.ofSeconds(2)).untilAsserted(SpecRowTests.this::assertNoGhost);
        }

        @Test
        void answerForARequestThatHasEndedLeavesNoGhostWaiter() throws Exception {
            Lease lease = scene.actor(Scene.NEVER).acquire();
            Scene.Actor actor = scene.actor(Scene.NEVER);
            interrupted(actor).pass();
            actor.settle();
            await().atMost(Duration.ofSeconds(2))
                    .until(() -> !scene.redis.keys().contains(Scene.QUEUE));
            assertThat(lease.release()).isTrue();
            assertNoGhost();
        }

        /** An acquire that is under way while its request ends by an interrupt. */
        private ScriptedStore.Parcel<AcquireCommand, AcquireReply> interrupted(Scene.Actor actor) {
            actor.store.acquires.hold();
            Future<Lease> waiter = actor.waits();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> late = actor.store.acquires.next();
            waiter.cancel(true);
            actor.awaitNothingOpen();
            return late;
        }
    }

    /** Release and leave are one: out of the queue, and if it holds the lock, hand over. */
    @Nested
    class FixLeave {

        @Test
        void releaseByANonHolderLeavesTheQueue() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(SOON);
            Scene.Actor third = scene.actor(Scene.NEVER);
            Lease lease = first.acquire();
            Future<Lease> waiter = second.waits();
            scene.awaitQueued(1);
            second.store.acquires.hold();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> again = second.store.acquires.next();
            assertThat(lease.release()).isTrue();
            Lease granted = waiter.get(10, TimeUnit.SECONDS);
            // it loses the lock without knowing, and its own question from before brings it into the queue once more
            scene.redis.command("DEL", Scene.LOCK);
            Lease next = third.acquire();
            again.timeOut();
            assertThat(again.carryOut().answers().get(0)).isInstanceOf(Busy.class);
            assertThat(scene.redis.command("ZCARD", Scene.QUEUE)).isEqualTo(1L);
            assertThatThrownBy(granted::close).isInstanceOf(LockLostException.class);
            assertThat(scene.redis.keys()).doesNotContain(Scene.QUEUE);
            assertThat(next.release()).isTrue();
            assertNoGhost();
        }

        @Test
        void leaveByTheHolderHandsOver() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(Scene.NEVER);
            Scene.Actor third = scene.actor(Scene.NEVER);
            second.store.holdMessages();
            Lease lease = first.acquire();
            Future<Lease> gone = second.waits();
            scene.awaitQueued(1);
            Future<Lease> waiter = third.waits();
            scene.awaitQueued(2);
            assertThat(lease.release()).isTrue();
            assertThat(scene.holder()).isEqualTo(second.store.nextMessage().id());
            // it gives up before it hears of its grant
            gone.cancel(true);
            assertThat(waiter.get(2, TimeUnit.SECONDS).release()).isTrue();
            second.awaitNothingOpen();
            assertNoGhost();
        }
    }

    /** A holder that gave its lease up for lost ends its request: an acquire of it may be under way. */
    @Nested
    class FixLost {

        @Test
        void acquireUnderWayIsNotGrantedAfterTheLoss() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(SOON);
            Lease lease = first.acquire();
            Future<Lease> waiter = second.asks(
                    LockRequest.of("x").expire(Duration.ofSeconds(1)).waitUnbounded());
            scene.awaitQueued(1);
            second.store.acquires.hold();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> again = second.store.acquires.next();
            assertThat(lease.release()).isTrue();
            Lease granted = waiter.get(10, TimeUnit.SECONDS);
            again.timeOut();
            await().atMost(Duration.ofSeconds(5)).until(() -> !granted.isHeld());
            await().atMost(Duration.ofSeconds(5)).until(() -> scene.holder().equals("null"));
            second.settle();
            await().atMost(Duration.ofSeconds(2))
                    .untilAsserted(() -> assertThat(second.engine().openRequests())
                            .as("acquisitions that were not ended")
                            .isZero());
            assertThat(again.carryOut().answers()).containsExactly(new Over());
            assertNoGhost();
            assertThatThrownBy(granted::close).isInstanceOf(LockLostException.class);
        }
    }

    private void assertNoGhost() {
        PipelinedMode.assertReleased(() -> assertThat(scene.redis.lastingKeys()).isSubsetOf("lock:fence"));
    }
}
