package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockPermits;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.LockTemplate;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests processes that are killed, and a process that loses its network. */
class KilledProcessTests {

    private static final Duration RECHECK = Duration.ofSeconds(1);
    /** The delay that a busy machine may add to a bound. */
    private static final Duration SLACK = Duration.ofMillis(400);

    private static final String QUEUE = "lock:queue:{x.global}";
    private static final String CONDITION = "lock:cond:{x.global}:" + LockProcess.CONDITION;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestRedis redis;

    @BeforeEach
    void start() {
        redis = Backend.LETTUCE.startRedis();
        open.add(redis);
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void waiterTakesOverFromAKilledHolderWithinItsLeaseAndARecheck() throws Exception {
        Duration lease = Duration.ofMillis(1500);
        OtherJvm holder = jvm(lease).awaitReady();
        holder.acquire("h", "x", Duration.ZERO);
        long token = Long.parseLong(holder.event("granted", "h").detail());
        Future<Lease> waiter = waiter(engine());
        awaitQueued(1);
        holder.kill();
        long killed = System.nanoTime();
        Lease next = waiter.get(20, TimeUnit.SECONDS);
        assertThat(since(killed)).isLessThan(lease.plus(RECHECK).plus(SLACK));
        assertThat(next.fencingToken()).isGreaterThan(token);
        assertThat(next.release()).isTrue();
    }

    @Test
    void writerTakesOverFromAKilledReaderWithinItsLeaseAndARecheck() throws Exception {
        Duration lease = Duration.ofMillis(1500);
        Engine other = engine();
        OtherJvm dying = jvm(lease).awaitReady();
        dying.read("r", "x", Duration.ZERO);
        long token = Long.parseLong(dying.event("granted", "r").detail());
        Lease reader = other.locks().acquire(LockRequest.of("x").mode(LockMode.SHARED));
        assertThat(reader.fencingToken()).as("of the same run").isEqualTo(token);
        Future<Lease> writer = waiter(engine());
        awaitQueued(1);
        dying.kill();
        long killed = System.nanoTime();
        assertThat(reader.release()).isTrue();
        Lease next = writer.get(20, TimeUnit.SECONDS);
        assertThat(since(killed)).isLessThan(lease.plus(RECHECK).plus(SLACK));
        assertThat(next.fencingToken()).isGreaterThan(token);
        assertThat(next.release()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void readersGoOnWhenOneOfThemIsKilled() throws Exception {
        OtherJvm dying = jvm(Duration.ofMillis(1500)).awaitReady();
        dying.read("r", "x", Duration.ZERO);
        dying.event("granted", "r");
        Lease reader = engine().locks().acquire(LockRequest.of("x").mode(LockMode.SHARED));
        Future<Lease> writer = waiter(engine());
        awaitQueued(1);
        dying.kill();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> redis.command("ZCARD", "lock:readers:{x.global}").equals(1L));
        assertThat(reader.isHeld()).isTrue();
        assertThat(writer).isNotDone();
        assertThat(reader.release()).isTrue();
        assertThat(writer.get(20, TimeUnit.SECONDS).release()).isTrue();
    }

    @Test
    void permitsOfAKilledHolderAreBackWithinItsLeaseAndARecheck() throws Exception {
        Duration lease = Duration.ofMillis(1500);
        LockRequest two = LockRequest.of("x").permits(new LockPermits(3, 2));
        LockTemplate locks = engine().locks();
        OtherJvm dying = jvm(lease).awaitReady();
        dying.take("h", "x", Duration.ZERO);
        long token = Long.parseLong(dying.event("granted", "h").detail());
        try (Lease one = locks.acquire(LockRequest.of("x").permits(new LockPermits(3, 1)))) {
            assertThat(locks.tryAcquire(two)).as("two permits are in use").isEmpty();
            Future<Lease> waiter = threads.submit(() -> locks.acquire(two.waitUnbounded()));
            await().until(() -> locks.inspect(two).waiting() == 1);
            dying.kill();
            long killed = System.nanoTime();
            Lease next = waiter.get(20, TimeUnit.SECONDS);
            assertThat(since(killed)).isLessThan(lease.plus(RECHECK).plus(SLACK));
            assertThat(next.fencingToken()).isGreaterThan(token);
            assertThat(one.isHeld()).isTrue();
            assertThat(next.release()).isTrue();
        }
    }

    @Test
    void signalOfAKilledWaiterMovesOnWithinSixRechecks() throws Exception {
        Engine next = engine();
        Engine signaller = engine();
        OtherJvm dying = jvm(Duration.ofSeconds(30)).awaitReady();
        Future<Boolean> waiter = behindAtTheCondition(dying, next);
        Lease lease = signaller.locks().acquire(LockRequest.of("x"));
        lease.condition(LockProcess.CONDITION).signal();
        awaitQueued(1);
        dying.kill();
        long killed = System.nanoTime();
        assertThat(lease.release()).isTrue();
        assertThat(waiter.get(30, TimeUnit.SECONDS)).as("signalled").isTrue();
        assertThat(since(killed)).isLessThan(RECHECK.multipliedBy(6).plus(SLACK));
    }

    @Test
    void waiterAtAConditionThatIsKilledIsPassed() throws Exception {
        Engine next = engine();
        Engine signaller = engine();
        OtherJvm dying = jvm(Duration.ofSeconds(30)).awaitReady();
        Future<Boolean> waiter = behindAtTheCondition(dying, next);
        dying.kill();
        long killed = System.nanoTime();
        try (Lease lease = signaller.locks().acquire(LockRequest.of("x"))) {
            lease.condition(LockProcess.CONDITION).signal();
        }
        assertThat(waiter.get(30, TimeUnit.SECONDS)).as("signalled").isTrue();
        assertThat(since(killed)).isLessThan(RECHECK.plus(SLACK));
    }

    @Test
    void queueForgetsAKilledProcessWithinFourteenRechecks() {
        Engine holder = engine();
        OtherJvm dying = jvm(Duration.ofSeconds(30)).awaitReady();
        Lease lease = holder.locks().acquire(LockRequest.of("x"));
        for (int i = 0; i < 5; i++) {
            dying.acquire("w" + i, "x", Duration.ZERO);
        }
        awaitQueued(5);
        dying.kill();
        long killed = System.nanoTime();
        assertThat(redis.ttl(QUEUE))
                .isLessThanOrEqualTo(RECHECK.multipliedBy(14).toMillis());
        // the lock is held all the time, so no process reads the queue
        await().atMost(Duration.ofSeconds(20)).until(() -> redis.ttl(QUEUE) == -2);
        assertThat(since(killed)).isLessThan(RECHECK.multipliedBy(14).plusSeconds(1));
        assertThat(redis.lastingKeys()).containsExactlyInAnyOrder("lock:fence", "lock:lock:{x.global}");
        assertThat(lease.release()).isTrue();
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void seventyKilledWaitersDelayTheNextWaiterByAtMostOneRecheck(int jvms) throws Exception {
        Engine holder = engine();
        Engine next = engine();
        List<OtherJvm> dying = new ArrayList<>();
        for (int i = 0; i < jvms; i++) {
            dying.add(jvm(Duration.ofSeconds(30)));
        }
        dying.forEach(OtherJvm::awaitReady);
        Lease lease = holder.locks().acquire(LockRequest.of("x"));
        for (int i = 0; i < 70; i++) {
            dying.get(i % jvms).acquire("w" + i, "x", Duration.ZERO);
        }
        awaitQueued(70);
        Future<Lease> waiter = waiter(next);
        awaitQueued(71);
        dying.forEach(OtherJvm::kill);
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(71L);
        long released = System.nanoTime();
        assertThat(lease.release()).isTrue();
        assertThat(waiter.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
        assertThat(since(released)).isLessThan(RECHECK.plus(SLACK));
    }

    @Test
    void unreachableWaiterDelaysTheNextWaiterByAtMostItsLease() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        TcpProxy proxy = TcpProxy.to(redis);
        open.add(proxy);
        Engine holder = engine();
        Engine swallowed = Engine.start(proxy.host(), proxy.port(), builder -> {});
        open.add(swallowed);
        Engine next = engine();
        Lease first = holder.locks().acquire(LockRequest.of("x"));
        threads.submit(() ->
                swallowed.locks().acquire(LockRequest.of("x").expire(lease).waitUnbounded()));
        awaitQueued(1);
        Future<Lease> waiter = waiter(next);
        awaitQueued(2);
        proxy.swallow();
        long released = System.nanoTime();
        assertThat(first.release()).isTrue();
        Lease second = waiter.get(20, TimeUnit.SECONDS);
        // the unreachable waiter was granted first, because Redis still counted its subscription
        assertThat(since(released)).isBetween(lease.minusMillis(50), lease.plusSeconds(1));
        assertThat(second.release()).isTrue();
        proxy.cut();
    }

    private Engine engine() {
        Engine engine = Engine.start(redis.host(), redis.port(), builder -> {});
        open.add(engine);
        return engine;
    }

    private OtherJvm jvm(Duration expire) {
        OtherJvm jvm = OtherJvm.start(redis, expire);
        open.add(jvm);
        return jvm;
    }

    private Future<Lease> waiter(Engine engine) {
        return threads.submit(() -> engine.locks().acquire(LockRequest.of("x").waitUnbounded()));
    }

    /** Lets a process and then an engine await a condition. Returns whether the engine is signalled. */
    private Future<Boolean> behindAtTheCondition(OtherJvm dying, Engine next) {
        dying.await("w", "x", Duration.ZERO);
        awaitMembers(CONDITION, 1);
        Future<Boolean> waiter = threads.submit(() -> {
            try (Lease lease = next.locks().acquire(LockRequest.of("x").waitUnbounded())) {
                return lease.condition(LockProcess.CONDITION)
                        .await(Duration.ofSeconds(60))
                        .inTime();
            }
        });
        awaitMembers(CONDITION, 2);
        return waiter;
    }

    private void awaitQueued(long count) {
        awaitMembers(QUEUE, count);
    }

    private void awaitMembers(String key, long count) {
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> redis.command("ZCARD", key), cardinality -> cardinality.equals(count));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
