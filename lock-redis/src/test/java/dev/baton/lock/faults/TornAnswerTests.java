package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a process asks again if the connection breaks after any byte of an answer, and never mixes two answers.
 */
class TornAnswerTests {

    private static final LockRequest LOCK = LockRequest.of("torn").waitTime(Duration.ofSeconds(10));
    /** Longer than every answer in these tests. The parts of an answer are longer than a step of three bytes. */
    private static final int LONGEST = 90;

    private TestRedis redis;
    private TcpProxy proxy;
    private Engine engine;
    private Engine other;

    @BeforeEach
    void start() {
        redis = Backend.LETTUCE.startRedis();
        proxy = TcpProxy.to(redis);
        engine = Engine.start(proxy.host(), proxy.port(), builder -> builder.expire(Duration.ofSeconds(5)));
        other = Engine.start(redis.host(), redis.port(), builder -> {});
    }

    @AfterEach
    void stop() {
        engine.close();
        other.close();
        proxy.close();
        redis.close();
    }

    @Test
    void lockIsGranted() {
        for (int bytes = 1; bytes < LONGEST; bytes += 3) {
            proxy.cutAnswer(bytes);
            try (Lease lease = engine.locks().acquire(LOCK)) {
                assertThat(lease.isHeld()).as("%d bytes", bytes).isTrue();
                assertThat(other.locks().tryAcquire(LOCK.waitTime(Duration.ZERO)))
                        .as("%d bytes", bytes)
                        .isEmpty();
            }
        }
    }

    @Test
    void lockIsReleased() {
        for (int bytes = 1; bytes < LONGEST; bytes += 3) {
            Lease lease = engine.locks().acquire(LOCK);
            proxy.cutAnswer(bytes % 16);
            long released = System.nanoTime();
            assertThat(lease.release()).as("%d bytes", bytes).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - released))
                    .as("%d bytes", bytes)
                    .isLessThan(Duration.ofMillis(1500));
            other.locks().acquire(LOCK).close();
        }
    }

    @Test
    void waiterKeepsWaiting() throws Exception {
        for (int bytes = 1; bytes < LONGEST; bytes += 9) {
            Lease held = other.locks().acquire(LOCK);
            proxy.cutAnswer(bytes);
            CompletableFuture<Lease> waiter = engine.locks().acquireAsync(LOCK).toCompletableFuture();
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(waiter).as("%d bytes", bytes).isNotDone();
            held.close();
            waiter.get(5, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void leaseIsKeptAndCanBeRenewedAgain() {
        for (int bytes = 1; bytes < 5; bytes++) {
            Lease lease = engine.locks().acquire(LOCK);
            proxy.cutAnswer(bytes);
            try {
                lease.renew(Duration.ofSeconds(5));
            } catch (LockStoreException unanswered) {
                // one renewal is one command, whose answer is lost
                assertThat(lease.isHeld()).as("%d bytes", bytes).isTrue();
            }
            assertThat(lease.renew(Duration.ofSeconds(5))).as("%d bytes", bytes).isTrue();
            assertThat(lease.release()).as("%d bytes", bytes).isTrue();
        }
    }
}
