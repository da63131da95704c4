package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.harness.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Who waits for several locks among others who want one of them: neither holds the others up for long, nor starves. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class SeveralLocksPatienceTests extends OnBackend {

    private static final LockRequest A = SeveralLocksTests.A;
    private static final LockRequest B = SeveralLocksTests.B;
    private static final LockRequest BOTH = SeveralLocksTests.BOTH;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private LockTemplate one;
    private LockTemplate other;

    SeveralLocksPatienceTests(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void start() {
        one = processes.start();
        other = processes.start();
    }

    @Test
    void anotherTakesAFreeLockAtOnceWithinThePatienceAndNotAfterIt() throws Exception {
        Lease busy = other.acquire(B);
        long asked = System.nanoTime();
        Future<Lease> both = threads.submit(() -> one.acquire(BOTH.waitUnbounded()));
        awaitQueued("a", 1);
        int taken = 0;
        Optional<Lease> lease = other.tryAcquire(A);
        while (lease.isPresent()
                && System.nanoTime() - asked < PATIENCE.multipliedBy(3).toNanos()) {
            assertThat(lease.get().release()).isTrue();
            taken++;
            lease = other.tryAcquire(A);
        }
        assertThat(taken).isPositive();
        Duration patient = Duration.ofNanos(System.nanoTime() - asked);
        assertThat(patient).isBetween(PATIENCE, PATIENCE.plusSeconds(1));
        assertThat(redis.keys()).as("a is kept free").doesNotContain("lock:lock:{k.a}");
        busy.close();
        assertThat(both.get(2, TimeUnit.SECONDS).release()).isTrue();
        other.acquire(A).close();
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
            work.add(threads.submit(() -> {
                while (!stop.get()) {
                    template.executeWithoutResult((wantsA ? A : B).waitUnbounded(), lease -> alone(wantsA ? inA : inB));
                }
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
            each.get(10, TimeUnit.SECONDS);
        }
        assertNothingLeft();
    }

    private static void alone(AtomicInteger inside) {
        assertThat(inside.incrementAndGet()).isEqualTo(1);
        Thread.yield();
        inside.decrementAndGet();
    }

    @Test
    void deadWaiterForBothIsPassedOverAtOnce() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(redis);
                Processes apart = new Processes(() -> backend.connect(proxy.host(), proxy.port()), store -> {})) {
            LockTemplate dying = apart.start(
                    builder -> builder.recheck(Duration.ofSeconds(30)).patience(Duration.ZERO));
            LockTemplate calm = processes.start(builder -> builder.recheck(Duration.ofSeconds(30)));
            Lease a = one.acquire(A);
            Lease b = one.acquire(B);
            threads.submit(() -> dying.acquire(BOTH.waitUnbounded()));
            awaitQueued("a", 1);
            Future<Lease> next = threads.submit(() -> calm.acquire(A));
            awaitQueued("a", 2);
            // its connections end as those of a killed process do
            proxy.close();
            await().until(() -> redis.command("PUBSUB", "CHANNELS").toString().split("inbox").length - 1 == 3);
            assertThat(a.release()).isTrue();
            assertThat(next.get(2, TimeUnit.SECONDS).isHeld()).isTrue();
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
            threads.submit(() -> dying.acquire(BOTH.waitUnbounded()));
            awaitQueued("a", 1);
            proxy.close();
            // a is kept for it at the most until it counts as silent or its subscription is gone
            Lease a = other.acquire(A.waitTime(Duration.ofSeconds(3)));
            assertThat(a.release()).isTrue();
            assertThat(b.release()).isTrue();
            // three rechecks of who asked last
            await().atMost(Duration.ofSeconds(5)).untilAsserted(this::assertNothingLeft);
        }
    }

    @Test
    void twoThatAskForBothInOppositeOrderNeverTimeOut() throws Exception {
        int each = 10_000;
        LockRequest ab = BOTH.waitTime(Duration.ofSeconds(5));
        LockRequest ba = LockRequest.ofAll("k", List.of("b", "a")).waitTime(Duration.ofSeconds(5));
        AtomicInteger inside = new AtomicInteger();
        Future<Integer> first = threads.submit(() -> rounds(one, ab, each, inside));
        Future<Integer> second = threads.submit(() -> rounds(other, ba, each, inside));
        assertThat(first.get(300, TimeUnit.SECONDS)).as("time-outs").isZero();
        assertThat(second.get(300, TimeUnit.SECONDS)).as("time-outs").isZero();
        assertNothingLeft();
    }

    private static int rounds(LockTemplate template, LockRequest request, int count, AtomicInteger inside) {
        int timeouts = 0;
        for (int i = 0; i < count; i++) {
            try {
                template.executeWithoutResult(request, lease -> alone(inside));
            } catch (LockTimeoutException ex) {
                timeouts++;
            }
        }
        return timeouts;
    }

    /** Marks may be left where a client library keeps no order. */
    private void assertNothingLeft() {
        assertThat(redis.lastingKeys()).containsExactly("lock:fence");
    }

    private void awaitQueued(String key, long count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() ->
                        redis.command("ZCARD", "lock:queue:{k." + key + "}").equals(count));
    }
}
