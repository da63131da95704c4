package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockKeyed;
import dev.baton.lock.LockListener;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnStuck;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What uncomplicated_mutex does: a lock per object, and a time-out that tells a stuck holder from a busy lock. */
class UncomplicatedMutexTests {

    private static final LockRequest JOB = LockRequest.of("job", new Job(7));
    private static final String KEY = "lock:lock:{job.7}";

    private static TestRedis redis;

    private final Processes processes = new Processes(redis);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private LockTemplate one;
    private LockTemplate other;

    /** An object that responds to id. */
    record Job(long id) {}

    /** An entity. */
    static class Order {
        public String getId() {
            return "A-1";
        }
    }

    @BeforeAll
    static void startRedis() {
        redis = Backend.LETTUCE.startRedis();
    }

    @AfterAll
    static void stopRedis() throws Exception {
        redis.close();
    }

    @BeforeEach
    void start() {
        one = processes.start();
        other = processes.other();
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        processes.close();
        redis.command("FLUSHALL");
    }

    @Test
    void objectIsLockedByItsId() {
        LockKeyed keyed = () -> "eu";
        assertThat(LockRequest.of("job", new Job(7)).name()).isEqualTo("job.7");
        assertThat(LockRequest.of("job", new Order()).name()).isEqualTo("job.A-1");
        assertThat(LockRequest.of("job", keyed).name()).isEqualTo("job.eu");
        try (Lease lease = one.acquire(LockRequest.of("job", new Job(7)))) {
            assertThat(other.tryAcquire(LockRequest.of("job", new Job(7)))).isEmpty();
            assertThat(other.tryAcquire(LockRequest.of("job", new Job(8)))).hasValueSatisfying(Lease::close);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void objectWithoutAnIdIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("job", new Object()))
                .withMessageContaining("java.lang.Object")
                .withMessageContaining("getId()");
    }

    @Test
    void lockRunsTheBlockAndReleases() {
        assertThat(one.<String, RuntimeException>execute(JOB, lease -> "done")).isEqualTo("done");
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    @Test
    void lockThatIsStuckRaisesAfterTheTimeout() {
        try (Lease held = one.acquire(JOB)) {
            long start = System.nanoTime();
            LockTimeoutException stuck = catchThrowableOfType(
                    LockTimeoutException.class,
                    () -> other.execute(JOB.stallTime(Duration.ofMillis(400)).waitUnbounded(), Lease::isHeld));
            assertThat(stuck.isStuck()).isTrue();
            assertThat(stuck.holder()).get().returns(held.owner(), holder -> holder.owner());
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(400), Duration.ofSeconds(5));
            assertThat(held.isHeld()).isTrue();
        }
    }

    /** Also if the previous job still works: it is told, and cannot disturb. */
    @Test
    void assumesThatThePreviousJobHasFailedAndContinues() throws Exception {
        Lease previous = one.acquire(JOB);
        CompletableFuture<Void> told = new CompletableFuture<>();
        previous.onLost(() -> told.complete(null));
        LockRequest continues =
                JOB.stallTime(Duration.ofMillis(400)).onStuck(OnStuck.STEAL).waitUnbounded();
        long start = System.nanoTime();
        try (Lease lease = other.acquire(continues)) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(400), Duration.ofSeconds(5));
            told.get(5, TimeUnit.SECONDS);
            assertThat(previous.release()).isFalse();
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.fencingToken()).isGreaterThan(previous.fencingToken());
        }
    }

    /** Each of three keeps it for half of the time-out. */
    @Test
    void anotherHolderResetsTheTimeout() throws Exception {
        Duration timeout = Duration.ofSeconds(3);
        Lease first = one.acquire(JOB);
        CompletableFuture<Lease> second = asks(one, JOB.waitUnbounded());
        awaitQueued(1);
        CompletableFuture<Lease> third = asks(one, JOB.waitUnbounded());
        awaitQueued(2);
        CompletableFuture<Lease> waiter = asks(other, JOB.stallTime(timeout).waitUnbounded());
        awaitQueued(3);
        for (CompletableFuture<Lease> holder : List.of(CompletableFuture.completedFuture(first), second, third)) {
            Lease lease = holder.get(5, TimeUnit.SECONDS);
            TimeUnit.MILLISECONDS.sleep(timeout.toMillis() / 2);
            assertThat(waiter).isNotDone();
            lease.release();
        }
        Lease lease = waiter.get(5, TimeUnit.SECONDS);
        assertThat(lease.waited()).isGreaterThan(timeout);
        lease.close();
    }

    /** A recheck of 40 s, and no message. */
    @Test
    void ticksFindAFreeLockWithoutANotification() throws Exception {
        try (Processes polling = new Setup(WaitStrategy.POLLING, LockHandler.SCRIPT, Client.LETTUCE, 0).on(redis)) {
            LockTemplate ticking = polling.startDeaf(builder -> builder.recheck(Duration.ofSeconds(40)))
                    .template();
            Lease held = one.acquire(JOB);
            redis.resetStats();
            CompletableFuture<Lease> waiter = asks(ticking, JOB.waitUnbounded());
            await().until(() -> redis.commandStats().containsKey("evalsha"));
            held.release();
            assertThat(waiter.get(5, TimeUnit.SECONDS).release()).isTrue();
        }
    }

    @Test
    void manyThatStruggleAllGetItOneAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Boolean>> jobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            LockTemplate process = i % 2 == 0 ? one : other;
            jobs.add(CompletableFuture.supplyAsync(
                    () -> process.execute(JOB.stallTime(Duration.ofSeconds(5)).waitUnbounded(), lease -> {
                        boolean alone = inside.incrementAndGet() == 1;
                        Thread.yield();
                        return inside.decrementAndGet() == 0 && alone;
                    }),
                    threads));
        }
        for (CompletableFuture<Boolean> job : jobs) {
            assertThat(job.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void lockWhoseTokenHasChangedIsLeftAlone() {
        Lease held = one.acquire(JOB);
        redis.command("DEL", KEY);
        Lease next = other.acquire(JOB);
        Object secret = redis.command("GET", KEY);
        assertThat(held.release()).isFalse();
        assertThat(redis.command("GET", KEY)).isEqualTo(secret).isNotNull();
        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(next.release()).isTrue();
    }

    @Test
    void nameOfTheLockIsTheKeyInRedis() {
        try (Lease lease = one.acquire(JOB)) {
            assertThat(lease.names()).containsExactly("job.7");
            assertThat(lease.redisKeys()).containsExactly(KEY);
            assertThat(redis.keys()).contains(KEY);
        }
    }

    @Test
    void listenerIsToldOfEveryStep() {
        LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
        LockTemplate verbose = processes.start(builder -> builder.listener(new LockListener() {
            @Override
            public void granted(Granted event) {
                told.add("granted " + event.names());
            }

            @Override
            public void released(Released event) {
                told.add("released " + event.names());
            }

            @Override
            public void timedOut(TimedOut event) {
                told.add("timed out " + event.names());
            }
        }));
        verbose.execute(JOB, lease -> 1);
        try (Lease held = other.acquire(JOB)) {
            assertThat(verbose.tryAcquire(JOB)).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(told).containsExactly("granted [job.7]", "released [job.7]", "timed out [job.7]");
    }

    @Test
    void namespaceKeepsLocksApart() {
        try (Lease lease = one.withNamespace("orders").acquire(JOB)) {
            assertThat(lease.redisKeys()).containsExactly("lock:orders:lock:{job.7}");
            assertThat(other.tryAcquire(JOB)).hasValueSatisfying(Lease::close);
            assertThat(other.tryAcquire(JOB.namespace("orders"))).isEmpty();
        }
    }

    private CompletableFuture<Lease> asks(LockTemplate process, LockRequest request) {
        return CompletableFuture.supplyAsync(() -> process.acquire(request), threads);
    }

    private void awaitQueued(long count) {
        await().until(() -> redis.command("ZCARD", "lock:queue:{job.7}"), size -> size.equals(count));
    }
}
