package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.SeveralLocksPatienceScenarios;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The patience of a waiter for several locks on a real Redis, also under load, and of a waiter that dies. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SeveralLocksPatienceTests extends SeveralLocksPatienceScenarios {

    private final Backend backend;
    private TestRedis redis;

    SeveralLocksPatienceTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        RedisFleet onRedis = new RedisFleet(backend);
        redis = onRedis.redis;
        return onRedis;
    }

    @Override
    protected int rounds() {
        return 1_000;
    }

    @Test
    @Tag("nightly")
    void twoThatAskForBothInOppositeOrderNeverTimeOutInManyRounds() throws Exception {
        askInOppositeOrder(10_000);
    }

    @Test
    void bothAreGrantedWithinFiveSecondsAmongThreadsThatHammerEach() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger inA = new AtomicInteger();
        AtomicInteger inB = new AtomicInteger();
        List<Future<?>> work = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LockTemplate template = i < 4 ? one : other;
            boolean wantsA = i % 2 == 0;
            work.add(fleet.begin(() -> {
                while (!stop.get()) {
                    template.executeWithoutResult((wantsA ? A : B).waitUnbounded(), lease -> alone(wantsA ? inA : inB));
                }
                return true;
            }));
        }
        for (int i = 0; i < 5; i++) {
            one.executeWithoutResult(BOTH.waitTime(Duration.ofSeconds(5)), lease -> {
                alone(inA);
                alone(inB);
            });
        }
        stop.set(true);
        for (Future<?> each : work) {
            fleet.get(each, Duration.ofSeconds(10));
        }
        fleet.assertNothingLeft();
    }

    @Test
    void deadWaiterForBothIsPassedOverAtOnce() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(redis);
                Processes apart = new Processes(() -> backend.connect(proxy.host(), proxy.port()), store -> {})) {
            LockTemplate dying = apart.start(
                    builder -> builder.recheck(Duration.ofSeconds(30)).patience(Duration.ZERO));
            LockTemplate calm = fleet.start(builder -> builder.recheck(Duration.ofSeconds(30)));
            Lease a = one.acquire(A);
            Lease b = one.acquire(B);
            fleet.begin(() -> dying.acquire(BOTH.waitUnbounded()));
            awaitQueued(1);
            Future<Lease> next = fleet.begin(() -> calm.acquire(A));
            awaitQueued(2);
            // its connections end as those of a killed process do
            proxy.close();
            await().until(() -> redis.command("PUBSUB", "CHANNELS").toString().split("inbox").length - 1 == 3);
            assertThat(a.release()).isTrue();
            assertThat(fleet.get(next, Duration.ofSeconds(2)).isHeld()).isTrue();
            assertThat(b.release()).isTrue();
            assertThat(other.tryAcquire(B)).isPresent();
        }
    }

    @Test
    void deadWaiterForBothLeavesNothingBehind() throws Exception {
        Duration recheck = Duration.ofMillis(200);
        try (TcpProxy proxy = TcpProxy.to(redis);
                Processes apart = new Processes(() -> backend.connect(proxy.host(), proxy.port()), store -> {})) {
            LockTemplate dying = apart.start(builder -> builder.recheck(recheck).patience(Duration.ZERO));
            Lease b = one.acquire(B);
            fleet.begin(() -> dying.acquire(BOTH.waitUnbounded()));
            awaitQueued(1);
            proxy.close();
            // a is kept for it at the most until it counts as silent or its subscription is gone
            Lease a = other.acquire(A.waitTime(Duration.ofSeconds(3)));
            assertThat(a.release()).isTrue();
            assertThat(b.release()).isTrue();
            // fourteen rechecks of the last that asked
            fleet.until(Duration.ofSeconds(20), fleet::isHeldOnly);
        }
    }

    /** The dying process is none of the fleet. */
    private void awaitQueued(long count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> redis.command("ZCARD", "lock:queue:k.{t}a").equals(count));
    }
}
