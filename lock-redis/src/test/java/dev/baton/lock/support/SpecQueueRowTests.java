package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.redis.InboxChannel;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What the model of the protocol found to go wrong without a mechanism: the queue, and clocks. See {@link SpecRowTests}. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SpecQueueRowTests {

    /** A queue lives for three of these: long enough for what a test does meanwhile. */
    private static final Duration SOON = Duration.ofMillis(500);

    private final Scene scene;

    SpecQueueRowTests(Backend backend) {
        scene = new Scene(backend);
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    /** The guard asks for every local waiter: a lost message may have been for any. */
    @Nested
    class FixGuardAll {

        @Test
        void lostMessageOfAYoungerWaiterCostsOneRecheck() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(SOON);
            Lease lease = first.acquire();
            second.store.holdMessages();
            second.store.acquires.hold();
            Future<Lease> older = second.waits();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> slow = second.store.acquires.next();
            Future<Lease> younger = second.waits();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> fast = second.store.acquires.next();
            // the younger comes first in Redis, and is answered last
            AcquireReply reply = fast.carryOut();
            slow.pass();
            fast.answer(reply);
            second.store.acquires.pass();
            scene.awaitQueued(2);
            assertThat(lease.release()).isTrue();
            second.store.nextMessage();
            // a lease of 30 s would be lost with the message
            Lease granted = younger.get(3, TimeUnit.SECONDS);
            assertThat(older).isNotDone();
            assertThat(granted.release()).isTrue();
            assertThat(older.get(3, TimeUnit.SECONDS).release()).isTrue();
        }
    }

    /** A waiter that cannot be notified just now is passed over and keeps its place. */
    @Nested
    class FixKeep {

        @Test
        void waiterWhoseSubscriptionBlinksStaysBeforeLaterOnes() throws Exception {
            TcpProxy proxy = scene.with(TcpProxy.to(scene.redis));
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor blinking = scene.actor(proxy.host(), proxy.port(), builder -> builder.recheck(Scene.NEVER));
            List<Scene.Actor> later = List.of(scene.actor(Scene.NEVER), scene.actor(Scene.NEVER));
            Lease lease = first.acquire();
            Future<Lease> waiter = blinking.waits();
            scene.awaitQueued(1);
            List<Future<Lease>> others = new ArrayList<>();
            for (Scene.Actor actor : later) {
                others.add(actor.waits());
                scene.awaitQueued(others.size() + 1);
            }
            String inbox = InboxChannel.of(blinking.engine().instance());
            proxy.refuse();
            // all of them: over Jedis it would subscribe again by a connection of its pool
            assertThat(proxy.subscribers()).isEqualTo(1);
            proxy.cut();
            awaitSubscribers(inbox, 0);
            assertThat(lease.release()).isTrue();
            Lease passing = others.get(0).get(5, TimeUnit.SECONDS);
            int asked = blinking.store.acquires.sent();
            proxy.forward();
            awaitSubscribers(inbox, 1);
            // the waiter asks again, and would join again if it had lost its place
            await().atMost(Duration.ofSeconds(10)).until(() -> blinking.store.acquires.sent() > asked);
            scene.awaitQueued(2);
            assertThat(passing.release()).isTrue();
            Lease kept = waiter.get(5, TimeUnit.SECONDS);
            assertThat(others.get(1)).isNotDone();
            assertThat(kept.release()).isTrue();
            assertThat(others.get(1).get(5, TimeUnit.SECONDS).release()).isTrue();
        }

        private void awaitSubscribers(String inbox, long count) {
            await().atMost(Duration.ofSeconds(10))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> scene.redis.command("PUBSUB", "NUMSUB", inbox), List.of(inbox, count)::equals);
        }
    }

    /** Queue keys live fourteen rechecks beyond the last question, also with an unbounded wait. */
    @Nested
    class FixTtl {

        @Test
        void queueOfWaitersThatAreSilentGoesByItself() {
            Lease lease = scene.actor(Scene.NEVER).acquire();
            Scene.Actor silent = scene.actor(SOON);
            Future<Lease> waiter = silent.waits();
            scene.awaitQueued(1);
            for (String key : List.of(Scene.QUEUE, Scene.WAIT)) {
                assertThat(scene.redis.ttl(key)).as("life of " + key).isBetween(1L, 14 * SOON.toMillis());
            }
            // it is extended as long as it asks
            int asked = silent.store.acquires.sent();
            await().atMost(Duration.ofSeconds(10)).until(() -> silent.store.acquires.sent() > asked + 5);
            assertThat(scene.redis.command("ZCARD", Scene.QUEUE)).isEqualTo(1L);
            silent.store.acquires.hold();
            silent.store.ends.hold();
            await().atMost(SOON.multipliedBy(14).plusSeconds(1))
                    .until(() -> scene.redis.ttl(Scene.QUEUE) == -2 && scene.redis.ttl(Scene.WAIT) == -2);
            assertThat(waiter).isNotDone();
            silent.store.ends.pass();
            assertThat(lease.release()).isTrue();
        }
    }

    /** A lease that a message tells of counts from the last question that was answered busy. */
    @Nested
    class LastBusy {

        private static final Duration LEASE = Duration.ofSeconds(10);

        @Test
        void lateMessageShortensTheBelief() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(Scene.NEVER);
            second.store.holdMessages();
            Lease lease = first.acquire();
            second.store.acquires.hold();
            Future<Lease> waiter = second.asks(LockRequest.of("x").expire(LEASE).waitUnbounded());
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> only = second.store.acquires.next();
            only.pass();
            assertThat(lease.release()).isTrue();
            ScriptedStore.Message message = second.store.nextMessage();
            waitUntil(only.sentAt + Duration.ofSeconds(1).toNanos());
            message.deliver();
            assertEndsBefore(waiter.get(5, TimeUnit.SECONDS), only.sentAt + LEASE.toNanos());
        }

        @Test
        void firstQuestionCountsAsLongAsNoneIsAnswered() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(Scene.NEVER);
            second.store.holdMessages();
            Lease lease = first.acquire();
            second.store.acquires.hold();
            Future<Lease> waiter = second.asks(LockRequest.of("x").expire(LEASE).waitUnbounded());
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> asked = second.store.acquires.next();
            asked.carryOut();
            assertThat(lease.release()).isTrue();
            ScriptedStore.Message message = second.store.nextMessage();
            waitUntil(asked.sentAt + Duration.ofSeconds(1).toNanos());
            asked.timeOut();
            assertThat(second.store.acquires.next().sentAt)
                    .isGreaterThan(asked.sentAt + Duration.ofSeconds(1).toNanos());
            message.deliver();
            assertEndsBefore(waiter.get(5, TimeUnit.SECONDS), asked.sentAt + LEASE.toNanos());
        }

        @Test
        void messageOfAGrantThatIsOverIsNotBelieved() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Scene.Actor second = scene.actor(Scene.NEVER);
            Scene.Actor third = scene.actor(SOON);
            second.store.holdMessages();
            Lease lease = first.acquire();
            Future<Lease> waiter = second.asks(
                    LockRequest.of("x").expire(Duration.ofMillis(500)).waitUnbounded());
            scene.awaitQueued(1);
            Future<Lease> next = third.waits();
            scene.awaitQueued(2);
            assertThat(lease.release()).isTrue();
            ScriptedStore.Message message = second.store.nextMessage();
            Lease taken = next.get(10, TimeUnit.SECONDS);
            assertThat(taken.fencingToken()).isGreaterThan(message.token());
            int asked = second.store.acquires.sent();
            message.deliver();
            // it asks, and is told to wait
            await().atMost(Duration.ofSeconds(5)).until(() -> second.store.acquires.sent() > asked);
            scene.awaitQueued(1);
            assertThat(waiter).isNotDone();
            assertThat(taken.release()).isTrue();
            second.store.nextMessage().deliver();
            assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        }

        private void waitUntil(long nanos) {
            await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() - nanos > 0);
        }

        private void assertEndsBefore(Lease lease, long end) {
            long now = System.nanoTime();
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofNanos(end - now));
            // not much before, either
            assertThat(lease.remaining())
                    .isGreaterThan(Duration.ofNanos(end - now).minusMillis(500));
            assertThat(lease.release()).isTrue();
        }
    }

    /** The last token outlives every lock: tokens grow although the clock of Redis was set back while the lock was free. */
    @Nested
    class Memory {

        @Test
        void tokensGrowOverAClockThatWasSetBackInAnIdleGap() throws Exception {
            Scene.Actor first = scene.actor(Scene.NEVER);
            Lease before = first.acquire();
            long token = before.fencingToken();
            assertThat(before.release()).isTrue();
            assertThat(scene.redis.keys()).containsExactly("lock:fence");
            assertThat(scene.redis.ttl("lock:fence")).isEqualTo(-1);
            // as it is left by a grant of an hour later: since then the clock was set back by that hour
            long ahead = token + TimeUnit.HOURS.toMicros(1);
            scene.redis.command("SET", "lock:fence", Long.toString(ahead));
            Scene.Actor fresh = scene.actor(Scene.NEVER);
            Lease granted = fresh.acquire();
            assertThat(granted.fencingToken()).as("token of an acquire").isGreaterThan(ahead);
            Future<Lease> waiter = first.waits();
            scene.awaitQueued(1);
            assertThat(granted.release()).isTrue();
            Lease handed = waiter.get(5, TimeUnit.SECONDS);
            assertThat(handed.fencingToken()).as("token of a hand-over").isGreaterThan(granted.fencingToken());
            assertThat(handed.release()).isTrue();
            assertThat(scene.redis.command("GET", "lock:fence")).isEqualTo(Long.toString(handed.fencingToken()));
        }
    }
}
