package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireReply;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the model of the protocol found to go wrong with several locks without a mechanism. A class per mechanism, by the name of
 * its switch in the model; {@link SpecRowTests} has those of one lock.
 */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SpecMultiRowTests {

    private static final LockRequest A = SeveralLocksTests.A.waitUnbounded();
    private static final LockRequest B = SeveralLocksTests.B.waitUnbounded();
    private static final LockRequest BOTH = SeveralLocksTests.BOTH.waitUnbounded();
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private final Scene scene;

    SpecMultiRowTests(Backend backend) {
        scene = new Scene(backend);
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    /** A waiter stands in the queue of every name, also of a name that is free when the waiter comes. */
    @Nested
    class StandInAll {

        @Test
        void releaseOfALockThatWasFreeAtItsArrivalWakesIt() throws Exception {
            Scene.Actor first = calm();
            Scene.Actor several = calm(Duration.ofSeconds(5));
            Lease b = first.locks.acquire(B);
            Future<Lease> both = several.asks(BOTH);
            awaitQueued("b", 1);
            // within its patience a goes to another, and so does not come free together with b
            Lease a = first.locks.acquire(A);
            assertThat(b.release()).isTrue();
            assertThat(a.release()).isTrue();
            assertThat(both.get(2, TimeUnit.SECONDS).release()).isTrue();
        }
    }

    /** It is granted only if it comes first in the queue of every name. */
    @Nested
    class HeadOfAll {

        @Test
        void waiterOfAnotherQueueIsNotJumped() throws Exception {
            Scene.Actor first = calm();
            Scene.Actor single = calm();
            Scene.Actor several = calm();
            Lease a = first.locks.acquire(A);
            Lease b = first.locks.acquire(B.expire(Duration.ofSeconds(2)));
            Future<Lease> waiter = single.asks(B);
            awaitQueued("b", 1);
            Future<Lease> both = several.asks(BOTH);
            awaitQueued("b", 2);
            // no waiter has noticed yet that b came free: the questions are on their way
            single.store.acquires.hold();
            several.store.acquires.hold();
            first.store.ends.hold();
            ScriptedStore.Parcel<AcquireCommand, AcquireReply> again = single.store.acquires.next();
            awaitFree("b");
            first.store.ends.pass();
            assertThat(a.release()).isTrue();
            assertThatThrownBy(() -> both.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            again.pass();
            Lease granted = waiter.get(2, TimeUnit.SECONDS);
            assertThat(both).isNotDone();
            assertThat(granted.release()).isTrue();
            assertThat(both.get(2, TimeUnit.SECONDS).release()).isTrue();
            assertThat(b.isHeld()).isFalse();
        }
    }

    /** Others pass it for so long only: then what comes free is kept for it. */
    @Nested
    class MaxPass {

        private static final Duration LONGER = Duration.ofSeconds(2);

        @Test
        void lockThatComesFreeAfterItsPatienceIsKept() throws Exception {
            Scene.Actor first = calm();
            // its patience counts from its arrival: nothing slow may come between that and the first release
            Scene.Actor several = calm(LONGER);
            Scene.Actor early = calm();
            Scene.Actor late = calm();
            Lease b = first.locks.acquire(B);
            Lease a = first.locks.acquire(A);
            Future<Lease> both = several.asks(BOTH);
            awaitQueued("a", 1);
            Future<Lease> within = early.asks(A);
            awaitQueued("a", 2);
            long arrival = arrival();
            assertThat(a.release()).isTrue();
            Lease passing = within.get(2, TimeUnit.SECONDS);
            Future<Lease> after = late.asks(A);
            awaitQueued("a", 2);
            await().until(() -> micros() > arrival + 1_000 * LONGER.toMillis());
            assertThat(passing.release()).isTrue();
            assertThatThrownBy(() -> after.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            awaitFree("a");
            assertThat(b.release()).isTrue();
            assertThat(both.get(2, TimeUnit.SECONDS).release()).isTrue();
            assertThat(after.get(2, TimeUnit.SECONDS).release()).isTrue();
        }

        private long arrival() {
            Object range = scene.redis.command("ZRANGE", "lock:queue:k.{t}a", "0", "0", "WITHSCORES");
            return Long.parseLong(range.toString().replaceAll(".*, (\\d+)]", "$1"));
        }
    }

    private Scene.Actor calm() {
        return calm(PATIENCE);
    }

    private Scene.Actor calm(Duration patience) {
        Consumer<LockTemplateBuilder> settings =
                builder -> builder.recheck(Scene.NEVER).patience(patience);
        return scene.actor(scene.redis.host(), scene.redis.port(), settings);
    }

    private void awaitQueued(String key, long count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() ->
                        scene.redis.command("ZCARD", "lock:queue:k.{t}" + key).equals(count));
    }

    private void awaitFree(String key) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() ->
                        scene.redis.command("EXISTS", "lock:lock:k.{t}" + key).equals(0L));
    }

    private long micros() {
        String[] time = scene.redis
                .command("TIME")
                .toString()
                .replaceAll("[\\[\\] ]", "")
                .split(",");
        return Long.parseLong(time[0]) * 1_000_000 + Long.parseLong(time[1]);
    }
}
