package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that is alone with a lock passes it on for long, and ends with that when others come or it dies. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class CohortAloneTests {

    private static final int LIMIT = 32;
    /** The half of a run, after which the store is asked. */
    private static final int HALF = LIMIT / 2;

    private static final int MOST_RUNS = 32;
    private static final int THREADS = 4;
    private static final Duration LONG = Duration.ofSeconds(30);
    /** No bound on the time of passes comes into the way of a slow machine. */
    private static final Duration MAX_TIME = Duration.ofSeconds(9);

    private static final LockRequest REQUEST = LockRequest.of("x").expire(LONG).waitTime(Duration.ofSeconds(60));

    private final Scene scene;
    private final AtomicInteger sections = new AtomicInteger();

    CohortAloneTests(Backend backend) {
        scene = new Scene(backend);
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    @Test
    void lockIsExchangedOncePer32RunsOfPasses() throws Exception {
        Scene.Actor actor = actor();
        int each = 150;
        for (Future<?> one : work(actor, new AtomicBoolean(), each)) {
            one.get(60, TimeUnit.SECONDS);
        }
        int acquisitions = THREADS * each;
        assertThat(sections).hasValue(acquisitions);
        // the first, which is granted at once and keeps no tokens, and one per block; some for threads that were late
        int blocks = 1 + acquisitions / (HALF * MOST_RUNS);
        assertThat(actor.store.exchanges.sent())
                .as("instead of %d", acquisitions / (LIMIT + 1))
                .isBetween(2, 1 + blocks + 6);
        assertThat(actor.store.extensions.sent()).isBetween(acquisitions / LIMIT, acquisitions / HALF);
        actor.awaitNothingOpen();
    }

    @Test
    void waiterOfAnotherProcessWaitsForOneRunOfPasses() throws Exception {
        Scene.Actor busy = actor();
        Scene.Actor other = actor();
        AtomicBoolean enough = new AtomicBoolean();
        List<Future<?>> work = work(busy, enough, Integer.MAX_VALUE);
        for (int i = 0; i < 3; i++) {
            int begun = busy.store.extensions.sent();
            await().atMost(Duration.ofSeconds(20)).until(() -> busy.store.extensions.sent() > begun + 3);
            Future<Lease> granted = other.asks(REQUEST);
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> other.engine().awaitedNames() == 1 || granted.isDone());
            int before = sections.get();
            Lease lease = granted.get(10, TimeUnit.SECONDS);
            assertThat(sections.get() - before).isLessThanOrEqualTo(LIMIT + 1);
            lease.close();
        }
        enough.set(true);
        for (Future<?> one : work) {
            one.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void lockOfAProcessThatDiesAfterAnExtensionComesFreeWithinOneLease() throws Exception {
        Duration expire = Duration.ofSeconds(9);
        LockRequest request = LockRequest.of("x").expire(expire).waitUnbounded();
        TcpProxy proxy = scene.with(TcpProxy.to(scene.redis));
        Scene.Actor dying = scene.actor(
                proxy.host(), proxy.port(), builder -> builder.cohortLimit(2).cohortMaxTime(MAX_TIME));
        Lease first = dying.locks.acquire(request);
        Future<Lease> second = dying.asks(request.owner("second"));
        awaitWaiting(dying, 1);
        assertThat(first.release()).isTrue();
        Lease passed = second.get(5, TimeUnit.SECONDS);
        Future<Lease> third = dying.asks(request.owner("third"));
        awaitWaiting(dying, 1);
        await().until(() ->
                scene.redis.ttl(Scene.LOCK) < expire.minusMillis(1_500).toMillis());
        assertThat(passed.release()).isTrue();
        Lease holder = third.get(5, TimeUnit.SECONDS);
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() ->
                        scene.redis.ttl(Scene.LOCK) > expire.minusMillis(1_000).toMillis());
        assertThat(dying.store.extensions.sent()).isEqualTo(1);
        proxy.close();
        long dead = System.nanoTime();
        Scene.Actor other = scene.actor(Duration.ofSeconds(1));
        Lease next = other.waits().get(20, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(System.nanoTime() - dead)).isLessThan(expire.plus(Duration.ofSeconds(2)));
        assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
        assertThat(holder.isHeld()).isFalse();
        assertThat(next.release()).isTrue();
    }

    /** Threads of one process take the lock in turn, for so long that answers of Redis come in between. */
    private List<Future<?>> work(Scene.Actor actor, AtomicBoolean enough, int each) {
        List<Future<?>> work = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            work.add(scene.runs(() -> {
                long last = 0;
                for (int i = 0; i < each && !enough.get(); i++) {
                    long token = actor.locks.execute(REQUEST, lease -> {
                        sections.incrementAndGet();
                        TimeUnit.MILLISECONDS.sleep(3);
                        return lease.fencingToken();
                    });
                    assertThat(token).isGreaterThan(last);
                    last = token;
                }
                return null;
            }));
        }
        return work;
    }

    private Scene.Actor actor() {
        return scene.actor(
                scene.redis.host(),
                scene.redis.port(),
                builder -> builder.recheck(Scene.NEVER).cohortLimit(LIMIT).cohortMaxTime(MAX_TIME));
    }

    private static void awaitWaiting(Scene.Actor actor, int count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> actor.engine().placed() == count);
    }
}
