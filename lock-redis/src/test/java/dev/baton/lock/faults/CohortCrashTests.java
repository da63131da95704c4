package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.CohortMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests processes that die or pause after they have passed a lock on locally. */
class CohortCrashTests {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration RECHECK = Duration.ofSeconds(1);
    /** The delay that a busy machine may add to a bound. */
    private static final Duration SLACK = Duration.ofMillis(400);

    private static final String QUEUE = "lock:queue:{x.global}";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestRedis redis;

    @BeforeEach
    void start() {
        CohortMode.set(32);
        redis = Backend.LETTUCE.startRedis();
        open.add(redis);
    }

    @AfterEach
    void stop() throws Exception {
        CohortMode.set(0);
        threads.shutdownNow();
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void waiterTakesOverFromAKilledProcessWithinThePassedOnLease() throws Exception {
        OtherJvm dying = jvm(LEASE);
        Future<Lease> waiter = passOn(dying, engine());
        long passed = token(dying, "third");
        dying.kill();
        long killed = System.nanoTime();
        Lease next = waiter.get(30, TimeUnit.SECONDS);
        assertThat(since(killed)).isLessThan(LEASE.plus(RECHECK).plus(SLACK));
        assertThat(next.fencingToken()).isGreaterThan(passed);
        assertThat(next.release()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void pausedProcessNoticesTheLossOfAPassedOnLock() throws Exception {
        OtherJvm stopped = jvm(LEASE);
        Future<Lease> waiter = passOn(stopped, engine());
        long passed = token(stopped, "third");
        stopped.stop();
        Lease next = waiter.get(30, TimeUnit.SECONDS);
        stopped.tell("held third");
        stopped.tell("close third");
        stopped.goOn();
        assertThat(stopped.event("held", "third").detail()).isEqualTo("false");
        assertThat(stopped.event("closed", "third").detail()).isEqualTo("LockLostException");
        stopped.event("lost", "third");
        assertThat(next.fencingToken()).isGreaterThan(passed);
        assertThat(String.valueOf(redis.command("GET", next.redisKeys().get(0))))
                .contains(" " + next.fencingToken() + " ");
        assertThat(next.release()).isTrue();
    }

    @Test
    void seventyKilledWaitersOfOneProcessDelayTheNextWaiterByAtMostOneRecheck() throws Exception {
        OtherJvm dying = jvm(LONG);
        Lease lease = engine().locks().acquire(LockRequest.of("x"));
        for (int i = 0; i < 70; i++) {
            dying.acquire("w" + i, "x", Duration.ZERO);
        }
        dying.awaitWaiting(70);
        awaitQueued(1);
        Future<Lease> waiter = waiter(engine());
        awaitQueued(2);
        dying.kill();
        long released = System.nanoTime();
        assertThat(lease.release()).isTrue();
        assertThat(waiter.get(30, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(since(released)).isLessThan(RECHECK.plus(SLACK));
    }

    /** Makes the process pass the lock on to its third request. Returns a waiter of another process. */
    private Future<Lease> passOn(OtherJvm process, Engine elsewhere) {
        process.acquire("first", "x", LEASE);
        process.event("granted", "first");
        process.acquireBriefly("second", "x", LEASE);
        process.awaitWaiting(1);
        process.acquire("third", "x", LEASE);
        process.awaitWaiting(2);
        process.tell("close first");
        long second = token(process, "second");
        assertThat(token(process, "third"))
                .as("the token after that of the second request")
                .isEqualTo(second + 1);
        Future<Lease> waiter = waiter(elsewhere);
        awaitQueued(1);
        return waiter;
    }

    private static long token(OtherJvm process, String tag) {
        return Long.parseLong(process.event("granted", tag).detail());
    }

    private Engine engine() {
        Engine engine = Engine.start(redis.host(), redis.port(), builder -> builder.recheck(RECHECK));
        open.add(engine);
        return engine;
    }

    private OtherJvm jvm(Duration expire) {
        OtherJvm jvm = OtherJvm.start(redis, expire);
        open.add(jvm);
        return jvm.awaitReady();
    }

    private Future<Lease> waiter(Engine engine) {
        return threads.submit(
                () -> engine.locks().acquire(LockRequest.of("x").expire(LONG).waitUnbounded()));
    }

    private void awaitQueued(long count) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> redis.command("ZCARD", QUEUE), cardinality -> cardinality.equals(count));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
