package dev.baton.lock.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.Renewal;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests that the meters of two contending processes agree with each other and with the counters of Redis. */
@Tag("once")
class ContendedMetersTests {

    private static final int THREADS = 3;
    private static final int EACH = 200;
    private static final Duration BOUND = Duration.ofSeconds(90);

    @Test
    void sumsOfTwoProcessesMatchTheCountersOfRedis() {
        try (TestRedis redis = TestRedis.start();
                JavaProcess one = start(redis, 0);
                JavaProcess other = start(redis, 0)) {
            List<JavaProcess> both = List.of(one, other);
            Map<String, Long> commands = contend(redis, both, THREADS);
            assertSums(both);
            long all = 2L * THREADS * EACH;
            // every command is a first acquire, a recheck or an end; a recheck that is late is followed by another end
            long rechecks = sum(both, "baton.rechecks -");
            assertThat(commands.get("evalsha")).isBetween(2 * all + rechecks, 2 * all + 2 * rechecks);
            // every message is a hand-over, and each hand-over to the other process sends one message
            assertThat(sum(both, "baton.handovers remote")).isEqualTo(commands.get("publish"));
            assertThat(sum(both, "baton.handovers")).isGreaterThanOrEqualTo(sum(both, "contended -") / 2);
            both.forEach(process -> {
                assertThat(sum(List.of(process), "baton.handovers local")).isPositive();
                assertThat(sum(List.of(process), "baton.handovers remote")).isPositive();
            });
            assertSpans(one, other);
            assertSpans(other, one);
        }
    }

    @Test
    void localPassIsCountedByTheProcessAlone() {
        try (TestRedis redis = TestRedis.start();
                JavaProcess one = start(redis, 32);
                JavaProcess other = start(redis, 32)) {
            List<JavaProcess> both = List.of(one, other);
            Map<String, Long> commands = contend(redis, both, 1);
            assertSums(both);
            // a process that asks again before the end of its last waiter is sent may hand the lock to itself by a
            // message
            long remote = sum(both, "baton.handovers remote");
            assertThat(commands.get("publish")).isBetween(remote, remote + remote / 10 + 5);
            assertThat(remote).isPositive();
            assertThat(sum(both, "baton.handovers local")).isPositive();
            assertSpans(one, other);
            assertSpans(other, one);
        }
    }

    /**
     * Lets both processes contend. Returns the counters of Redis. Both wait before the first grant, because two short
     * runs might not overlap otherwise.
     *
     * @param queued the queued requests of each process; with a cohort, one request for all of its threads
     */
    private static Map<String, Long> contend(TestRedis redis, List<JavaProcess> both, int queued) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(redis.host(), redis.port());
        factory.afterPropertiesSet();
        factory.start();
        try (LockTemplate locks =
                LockTemplate.builder(RedisLockStore.builder(factory).build()).build()) {
            await().until(locks::isListening);
            locks.execute("warm-up", "test", Lease::isHeld);
            both.forEach(process -> process.awaitLine("ready", BOUND));
            LockRequest shared =
                    LockRequest.of("shared", 1).expire(BOUND.multipliedBy(2)).renew(Renewal.NEVER);
            Lease untilBothWait = locks.acquire(shared);
            redis.resetStats();
            for (int i = 0; i < both.size(); i++) {
                both.get(i).println("go");
                Long inQueue = (i + 1L) * queued;
                await().atMost(BOUND).until(() -> redis.command("ZCARD", "lock:queue:{shared.1}"), inQueue::equals);
            }
            assertThat(untilBothWait.release()).isTrue();
            both.forEach(process -> process.awaitLine("done", BOUND));
            Map<String, Long> commands = redis.commandStats();
            // the release by this process hands over to the first of them
            commands.merge("evalsha", -1L, Long::sum);
            commands.merge("publish", -1L, Long::sum);
            return commands;
        } finally {
            factory.destroy();
        }
    }

    private static void assertSums(List<JavaProcess> both) {
        long all = 2L * THREADS * EACH;
        assertThat(sum(both, "baton.acquisitions granted")).isEqualTo(all);
        assertThat(sum(both, "baton.acquisitions")).isEqualTo(all);
        assertThat(sum(both, "baton.wait -")).isEqualTo(all);
        assertThat(sum(both, "baton.hold -")).isEqualTo(all);
        assertThat(sum(both, "baton.lost -")).isZero();
        assertThat(sum(both, "baton.held -")).isZero();
        assertThat(sum(both, "baton.waiting -")).isZero();
    }

    /**
     * Asserts one span per acquisition, each with its grant. Spans of waiters name the previous holder, which may be of
     * either process.
     */
    private static void assertSpans(JavaProcess process, JavaProcess other) {
        List<String> spans = process.lines().stream()
                .filter(line -> line.startsWith("span "))
                .toList();
        assertThat(spans).hasSize(THREADS * EACH).allMatch(span -> span.startsWith("span 1 "));
        assertThat(spans).anyMatch(span -> span.contains(":" + other.pid() + "/"));
        assertThat(spans).anyMatch(span -> span.contains(":" + process.pid() + "/"));
        assertThat(spans.stream().filter(span -> !span.endsWith(" null")).count())
                .isBetween(1L, sum(List.of(process), "contended -"));
    }

    private static JavaProcess start(TestRedis redis, int passes) {
        return JavaProcess.start(
                ContendingProcess.class, redis.host(), "" + redis.port(), "" + THREADS, "" + EACH, "" + passes);
    }

    private static long sum(List<JavaProcess> processes, String meter) {
        return processes.stream()
                .flatMap(process -> process.lines().stream())
                .filter(line -> line.startsWith("meter " + meter + " "))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
