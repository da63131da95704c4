package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests the start of an application while Redis is down, or accepts connections without answering. */
@Timeout(90)
class RedisDownTests {

    private static final LockRequest REPORT = LockRequest.of("report");
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final TestRedis redis = TestRedis.start();

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void applicationStartsAndLocksWorkOnceRedisIsBack() {
        redis.stop();
        Contexts.with(redis).run(context -> {
            assertThat(context).hasNotFailed();
            LockOperations operations = context.getBean(LockOperations.class);
            assertAttemptFailsInTime(operations);
            redis.restart();
            assertWorks(operations);
        });
    }

    @Test
    void applicationStartsWhileRedisHangs() {
        redis.pause();
        ApplicationContextRunner runner = Contexts.with(redis);
        long start = System.nanoTime();
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            // a connection opened by the starting thread would take 10 s or 60 s to fail
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
            LockOperations operations = context.getBean(LockOperations.class);
            assertAttemptFailsInTime(operations);
            redis.resume();
            assertWorks(operations);
        });
    }

    @Test
    void applicationStopsWhileRedisHangs() {
        redis.pause();
        long start = System.nanoTime();
        Contexts.with(redis).run(context -> {
            assertThat(context).hasNotFailed();
            context.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        });
    }

    @Test
    void databaseThatDoesNotExistIsNamedByItsProperty() {
        Contexts.with(redis)
                .withPropertyValues("spring.data.redis.database=99")
                .run(context -> assertThatExceptionOfType(LockStoreException.class)
                        .isThrownBy(() -> context.getBean(LockOperations.class).acquire(REPORT.waitTime(WAIT)))
                        .withMessage("Lock 'report.global' could not be requested: Redis at " + redis.host() + ":"
                                + redis.port() + " refused the connection: ERR DB index is out of range. Set"
                                + " spring.data.redis.database (now 99) to a database of the server: 0 to 15, unless its"
                                + " setting 'databases' says otherwise"));
    }

    private void assertAttemptFailsInTime(LockOperations operations) {
        long start = System.nanoTime();
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> operations.acquire(REPORT.waitTime(WAIT)))
                .withMessageContaining(redis.host() + ":" + redis.port())
                .withMessageContaining("spring.data.redis.");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(WAIT, WAIT.plusMillis(500));
    }

    private static void assertWorks(LockOperations operations) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(LockStoreException.class)
                .untilAsserted(() -> assertThat(operations.<String, RuntimeException>execute(REPORT, lease -> "done"))
                        .isEqualTo("done"));
    }
}
