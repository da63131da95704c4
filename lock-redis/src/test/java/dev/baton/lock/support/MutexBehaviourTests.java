package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.DistributedMutex;
import dev.baton.lock.Lease;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The lock as a {@code java.util.concurrent.locks.Lock}, and the reusable mutex of one scope. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
@SuppressWarnings("LockNotBeforeTry") // what becomes of a lock that is not given back is tested
@Tag("jdk")
class MutexBehaviourTests extends OnBackend {

    private static final LockRequest X = LockRequest.of("x");
    private static final String LOCK = "lock:lock:{x.global}";
    private static final String QUEUE = "lock:queue:{x.global}";

    private LockTemplate template;
    private DistributedMutex mutex;
    private DistributedMutex elsewhere;

    MutexBehaviourTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        template = processes.start();
        mutex = template.mutex(X);
        elsewhere = processes.other().mutex(X);
    }

    @Test
    void oneProcessHasItAtATime() throws Exception {
        mutex.lock();
        assertThat(elsewhere.tryLock()).isFalse();
        assertThat(elsewhere.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(elsewhere.tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
        mutex.lock();
        mutex.unlock();
        assertThat(elsewhere.tryLock()).as("it was taken twice").isFalse();
        CompletableFuture<Long> next = CompletableFuture.supplyAsync(() -> {
            elsewhere.lock();
            try {
                return elsewhere.lease().orElseThrow().fencingToken();
            } finally {
                elsewhere.unlock();
            }
        });
        Awaitility.await().until(() -> redis.keys().contains(QUEUE));
        long token = mutex.lease().orElseThrow().fencingToken();
        mutex.unlock();
        assertThat(next.get(5, TimeUnit.SECONDS)).isGreaterThan(token);
        assertThat(elsewhere.tryLock()).isTrue();
        elsewhere.unlock();
        PipelinedMode.assertReleased(() -> assertThat(redis.keys()).doesNotContain(LOCK));
    }

    @Test
    void mutexAndTemplateAreTheSameLock() {
        mutex.lock();
        try (Lease inner = template.acquire(X)) {
            assertThat(inner.fencingToken())
                    .isEqualTo(mutex.lease().orElseThrow().fencingToken());
        }
        assertThat(elsewhere.tryLock()).isFalse();
        mutex.unlock();
    }

    @Test
    void unlockOfALostLeaseIsIllegal() {
        mutex.lock();
        redis.command("DEL", LOCK);

        assertThatThrownBy(mutex::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasCauseInstanceOf(LockLostException.class);
        mutex.lock();
        mutex.unlock();
    }

    /** Threads of two processes take it in every way and are interrupted at any time. */
    @Test
    void interruptsAtAnyTimeBreakNothingAndLeaveNothing() throws Exception {
        long seed = System.nanoTime();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        List<Throwable> wrong = java.util.Collections.synchronizedList(new ArrayList<>());
        AtomicInteger interrupted = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Random random = new Random(seed + i);
            DistributedMutex own = i % 2 == 0 ? mutex : elsewhere;
            threads.add(new Thread(() -> {
                while (!over.get() && wrong.isEmpty()) {
                    try {
                        if (take(own, random)) {
                            taken.incrementAndGet();
                            if (inside.getAndIncrement() != 0) {
                                throw new IllegalStateException("two at a time");
                            }
                            inside.getAndDecrement();
                            own.unlock();
                        }
                    } catch (InterruptedException ex) {
                        interrupted.incrementAndGet();
                    } catch (RuntimeException ex) {
                        wrong.add(ex);
                    }
                    // of a second interrupt: each round begins without
                    Thread.interrupted();
                }
            }));
        }
        threads.forEach(Thread::start);
        Random random = new Random(seed);
        long begun = System.nanoTime();
        long end = begun + Duration.ofSeconds(3).toNanos();
        // a slow machine goes on for longer, not for ever
        long last = begun + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() - end < 0
                || System.nanoTime() - last < 0 && (taken.get() <= 50 || interrupted.get() == 0)) {
            threads.get(random.nextInt(threads.size())).interrupt();
            TimeUnit.MICROSECONDS.sleep(random.nextInt(1_500));
        }
        over.set(true);
        for (Thread thread : threads) {
            thread.join(10_000);
        }
        assertThat(threads).as("seed %d", seed).noneMatch(Thread::isAlive);
        assertThat(wrong).as("seed %d", seed).isEmpty();
        assertThat(taken.get()).as("seed %d", seed).isGreaterThan(50);
        assertThat(interrupted.get()).as("seed %d", seed).isPositive();
        Awaitility.await().untilAsserted(() -> {
            assertThat(redis.keys()).doesNotContain(LOCK, QUEUE);
            for (LockTemplate each : List.of(template, processes.other())) {
                assertThat(each.engine().openRequests()).isZero();
                assertThat(each.engine().awaitedNames()).isZero();
                assertThat(each.engine().waiters()).isZero();
            }
        });
    }

    private static boolean take(DistributedMutex mutex, Random random) throws InterruptedException {
        switch (random.nextInt(4)) {
            case 0 -> mutex.lock();
            case 1 -> mutex.lockInterruptibly();
            case 2 -> {
                return mutex.tryLock();
            }
            default -> {
                return mutex.tryLock(20 + random.nextInt(20), TimeUnit.MILLISECONDS);
            }
        }
        return true;
    }

    @Test
    void scopeIsAMutexForEveryKey() throws Exception {
        LockScope access = template.scope("server_access")
                .expire(Duration.ofSeconds(10))
                .recheck(Duration.ofSeconds(1))
                .waitTime(Duration.ofSeconds(5));
        LockScope other = processes.other().scope("server_access");
        String done = access.execute(42, lease -> {
            assertThat(lease.names()).containsExactly("server_access.42");
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(10));
            assertThat(other.tryAcquire(42)).isEmpty();
            other.executeWithoutResult(43, apart -> assertThat(apart.isHeld()).isTrue());
            return "done";
        });
        assertThat(done).isEqualTo("done");
        assertThat(other.mutex(42).tryLock()).isTrue();
        assertThat(template.withNamespace("orders").scope("server_access").tryAcquire(42))
                .as("another namespace")
                .isPresent();
    }
}
