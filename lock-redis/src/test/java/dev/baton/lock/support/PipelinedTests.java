package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockLostEvent;
import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.ReleaseMode;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.engine.ticket.Acquisition;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Releases that go on before Redis has answered them. */
class PipelinedTests {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);
    /** Each way. An answer comes after two to four of these, within the command time-out. */
    private static final Duration DELAY = Duration.ofMillis(500);
    /** Less than any answer takes that is delayed or swallowed. */
    private static final Duration AT_ONCE = DELAY.multipliedBy(2);

    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private TestRedis redis;
    private TcpProxy proxy;
    private Processes processes;
    private LockTemplate locks;

    @BeforeEach
    void start() {
        redis = Backend.LETTUCE.startOpenRedis();
        proxy = TcpProxy.to(redis);
        processes = behindTheProxy(WaitStrategy.GRANT);
        locks = processes.start(this::pipelined);
    }

    @AfterEach
    void stop() throws Exception {
        proxy.forward();
        processes.close();
        proxy.close();
        redis.close();
    }

    @Test
    void noReleaseIsOvertakenByTheNextCommandOfItsThread() {
        // the first one finds a server that does not know the script
        for (int i = 0; i < 500; i++) {
            try (Lease lease = locks.tryAcquire(X).orElseThrow(() -> new AssertionError("busy with itself"))) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
        awaitNothingOwed(locks);
        assertThat(redis.keys()).containsExactly("lock:fence");
    }

    @ParameterizedTest
    @EnumSource(
            value = WaitStrategy.class,
            names = {"KEYSPACE", "POLLING"})
    void noReleaseIsOvertakenWithOtherStrategies(WaitStrategy strategy) throws Exception {
        try (Processes others = behindTheProxy(strategy)) {
            LockTemplate other = others.startDeaf(this::pipelined).template();
            for (int i = 0; i < 100; i++) {
                Lease lease = other.tryAcquire(X).orElseThrow(() -> new AssertionError("busy with itself"));
                assertThat(lease.release()).isTrue();
            }
            awaitNothingOwed(other);
        }
    }

    @Test
    void answerThatIsSwallowedIsNotWaitedFor() throws Exception {
        warmUp(locks);
        Lease lease = locks.acquire(X);
        proxy.swallowReplies();
        assertThat(within(AT_ONCE, lease::release)).isTrue();
        // Redis has done it
        await().atMost(AT_ONCE).until(() -> redis.command("EXISTS", LOCK), Long.valueOf(0)::equals);
        assertThat(EngineCounters.openRequests(locks)).as("owed").isOne();
        TimeUnit.MILLISECONDS.sleep(COMMAND_TIMEOUT.toMillis() + 100);
        proxy.forward();
        proxy.cut();
        awaitNothingOwed(locks);
        assertThat(told).as("found released already, not lost").containsExactly("released");
    }

    @Test
    void requestThatIsSwallowedIsRepeatedLongBeforeTheLeaseEnds() throws Exception {
        warmUp(locks);
        Lease lease = locks.acquire(X);
        proxy.swallowRequests();
        assertThat(within(AT_ONCE, lease::release)).isTrue();
        assertThat(redis.command("EXISTS", LOCK)).isEqualTo(1L);
        proxy.forward();
        proxy.cut();
        await().atMost(Duration.ofSeconds(5)).until(() -> redis.command("EXISTS", LOCK), Long.valueOf(0)::equals);
        awaitNothingOwed(locks);
        assertThat(told).containsExactly("released");
    }

    @Test
    void deletedKeyIsToldAfterTheRelease() throws Exception {
        warmUp(locks);
        Lease lease = locks.acquire(X);
        CountDownLatch lost = new CountDownLatch(1);
        lease.onLost(lost::countDown);
        redis.command("DEL", LOCK);
        try (Warnings warnings = new Warnings(Acquisition.class.getName())) {
            lease.close();
            assertThat(lost.await(5, TimeUnit.SECONDS)).isTrue();
            await().until(() -> told.size() == 3);
            assertThat(told).containsExactlyInAnyOrder("released", "lost", "event");
            assertThat(warnings.texts())
                    .singleElement()
                    .asString()
                    .contains("Lock 'x.global' was lost", Long.toString(lease.fencingToken()));
        }
        assertThat(lease.isExpired()).isTrue();
        awaitNothingOwed(locks);
    }

    @Test
    void lockOfAnotherHolderIsLeftAlone() {
        warmUp(locks);
        Lease lease = locks.acquire(X);
        redis.command("DEL", LOCK);
        Lease next = processes.other().acquire(X);
        lease.close();
        await().until(lease::isExpired);
        assertThat(next.renew()).isTrue();
        next.close();
    }

    @Test
    void lossThatIsFoundAfterTheWorkInterruptsNoThread() {
        warmUp(locks);
        String done = locks.execute(X.onLost(OnLost.INTERRUPT), lease -> {
            redis.command("DEL", LOCK);
            return "done";
        });
        await().until(() -> told.contains("lost"));
        assertThat(done).isEqualTo("done");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void lossThatIsKnownIsThrownAtTheRelease() {
        warmUp(locks);
        Lease lease = locks.acquire(X);
        redis.command("DEL", LOCK);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.release()).isFalse();
    }

    @Test
    void innerReleaseOfAReentryKeepsTheLockAndTheOuterOneGivesItBack() throws Exception {
        warmUp(locks);
        Lease outer = locks.acquire(X);
        assertThat(locks.acquire(X).release()).isTrue();
        assertThat(redis.command("EXISTS", LOCK)).isEqualTo(1L);
        proxy.delay(DELAY);
        assertThat(within(AT_ONCE, outer::release)).isTrue();
        awaitNothingOwed(locks);
        assertThat(redis.command("EXISTS", LOCK)).isEqualTo(0L);
    }

    @Test
    void severalLocksAreGivenBackTogether() throws Exception {
        warmUp(locks);
        Lease both = locks.acquire(LockRequest.ofAll("k", List.of("a", "b")));
        proxy.delay(DELAY);
        assertThat(within(AT_ONCE, both::release)).isTrue();
        awaitNothingOwed(locks);
        assertThat(redis.keys()).containsExactly("lock:fence");
    }

    @Test
    void asynchronousReleaseIsCompleteAtOnce() {
        warmUp(locks);
        Lease lease = locks.acquire(X);
        proxy.delay(DELAY);
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompletedWithValue(true);
        awaitNothingOwed(locks);
    }

    @Test
    void lockIsKeptForAsLongAsItWasToBeHeldAtLeast() {
        warmUp(locks);
        locks.acquire(X.holdAtLeast(Duration.ofSeconds(10))).close();
        awaitNothingOwed(locks);
        assertThat(redis.ttl(LOCK)).isBetween(5_000L, 10_000L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 32})
    void stopReturnsWhenRedisHasTheLockBack(int passes) throws Exception {
        LockTemplate stopping = processes.start(builder -> pipelined(builder.cohortLimit(passes)));
        warmUp(stopping);
        Lease lease = stopping.acquire(X);
        // for as long it can be seen on its way
        proxy.delay(Duration.ofMillis(700));
        assertThat(within(AT_ONCE, lease::release)).isTrue();
        assertThat(redis.command("EXISTS", LOCK)).as("still on its way").isEqualTo(1L);
        stopping.stop();
        assertThat(redis.command("EXISTS", LOCK)).isEqualTo(0L);
    }

    @Test
    void jedisIsRefused() {
        Connections jedis = Client.JEDIS.connect(new RedisStandaloneConfiguration(redis.host(), redis.port()));
        try {
            assertRefused(RedisLockStore.builder(jedis.factory()).build(), "over Jedis", "use Lettuce");
        } finally {
            jedis.end().run();
        }
    }

    @Test
    void transactionsAreRefused() {
        Connections lettuce = Backend.LETTUCE.connect(redis.host(), redis.port());
        try {
            assertRefused(
                    RedisLockStore.builder(lettuce.factory())
                            .handler(LockHandler.TRANSACTION)
                            .build(),
                    "handler transaction needs several commands",
                    "use handler script");
        } finally {
            lettuce.end().run();
        }
    }

    private static void assertRefused(RedisLockStore store, String... why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockTemplate.builder(store)
                        .release(ReleaseMode.PIPELINED)
                        .build())
                .withMessageContaining("release pipelined cannot be used: ")
                .withMessageContainingAll(why);
    }

    /** The server knows the scripts, and one release has been answered since. */
    private void warmUp(LockTemplate template) {
        for (int i = 0; i < 3; i++) {
            try (Lease lease = template.acquire(LockRequest.of("warm"))) {
                assertThat(lease.renew()).isTrue();
            }
        }
        awaitNothingOwed(template);
        told.clear();
    }

    private static void awaitNothingOwed(LockTemplate template) {
        await().atMost(Duration.ofSeconds(8)).until(() -> EngineCounters.openRequests(template) == 0);
    }

    private Processes behindTheProxy(WaitStrategy strategy) {
        return new Processes(
                () -> Backend.LETTUCE.connect(proxy.host(), proxy.port()), store -> store.waitStrategy(strategy));
    }

    private void pipelined(LockTemplateBuilder builder) {
        builder.release(ReleaseMode.PIPELINED)
                .commandTimeout(COMMAND_TIMEOUT)
                .eventPublisher(event -> told.add("event"))
                .listener(new LockListener() {
                    @Override
                    public void released(Released event) {
                        told.add("released");
                    }

                    @Override
                    public void lost(LockLostEvent event) {
                        told.add("lost");
                    }
                });
    }

    private static <T> T within(Duration bound, Callable<T> work) throws Exception {
        long from = System.nanoTime();
        T result = work.call();
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(bound);
        return result;
    }
}
