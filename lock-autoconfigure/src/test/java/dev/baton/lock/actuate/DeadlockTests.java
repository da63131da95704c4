package dev.baton.lock.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests a deadlock of two processes that acquire two locks in opposite order. */
class DeadlockTests {

    private static final Duration RECHECK = Duration.ofSeconds(1);

    @Test
    void deadlockIsReportedWithBothHoldersAndEndsWithAForceRelease() {
        try (TestRedis redis = TestRedis.start();
                JavaProcess other = holder(redis, "b", "a")) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(redis.host(), redis.port());
            factory.afterPropertiesSet();
            factory.start();
            CurrentLocks current = new CurrentLocks();
            try (LockTemplate locks = LockTemplate.builder(
                            RedisLockStore.builder(factory).build())
                    .recheck(RECHECK)
                    .listener(current)
                    .shutdownAwait(Duration.ZERO)
                    .build()) {
                LocksEndpoint endpoint =
                        new LocksEndpoint(locks, current, new ForceReleaseAudit(event -> {}), Show.ALWAYS, Set.of());
                other.awaitLine("held", Duration.ofSeconds(60));
                LockRequest mine = LockRequest.of("account", "a").owner("mine");
                Lease lease = locks.acquire(mine);
                CompletableFuture<Lease> waiting = locks.acquireAsync(
                                LockRequest.of("account", "b").owner("mine").waitUnbounded())
                        .toCompletableFuture();
                await().until(() ->
                        locks.inspect(LockRequest.of("account", "b")).waiting() == 1);
                assertThat(deadlocks(endpoint)).isEmpty();
                other.println("go on");
                await().until(() -> locks.inspect(mine).waiting() == 1);
                await().atMost(RECHECK.multipliedBy(2))
                        .untilAsserted(() -> assertThat(deadlocks(endpoint)).hasSize(1));
                assertThat(deadlocks(endpoint).get(0).members())
                        .hasSize(2)
                        .anySatisfy(member -> {
                            assertThat(member.label()).endsWith("/mine");
                            assertThat(member.holds()).isEqualTo("account.a");
                            assertThat(member.waitsFor()).isEqualTo("account.b");
                        })
                        .anySatisfy(member -> {
                            assertThat(member.label()).contains(":" + other.pid() + "/");
                            assertThat(member.holds()).isEqualTo("account.b");
                            assertThat(member.waitsFor()).isEqualTo("account.a");
                        });
                endpoint.forceRelease("account.a", null, null);
                other.awaitLine("granted", Duration.ofSeconds(10));
                await().until(() -> !lease.isHeld());
                waiting.cancel(false);
            } finally {
                factory.destroy();
            }
        }
    }

    /**
     * A process without locks and waiters reports the deadlock of two other processes, on the page of the fleet and on
     * the board.
     */
    @Test
    void deadlockOfTwoOtherProcessesIsOnThePageOfTheFleet() {
        try (TestRedis redis = TestRedis.start();
                JavaProcess one = holder(redis, "a", "b");
                JavaProcess other = holder(redis, "b", "a")) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(redis.host(), redis.port());
            factory.afterPropertiesSet();
            factory.start();
            CurrentLocks current = new CurrentLocks();
            try (LockTemplate locks = LockTemplate.builder(
                            RedisLockStore.builder(factory).build())
                    .listener(current)
                    .shutdownAwait(Duration.ZERO)
                    .build()) {
                LocksEndpoint endpoint =
                        new LocksEndpoint(locks, current, new ForceReleaseAudit(event -> {}), Show.ALWAYS, Set.of());
                List<JavaProcess> both = List.of(one, other);
                both.forEach(process -> process.awaitLine("held", Duration.ofSeconds(60)));
                both.forEach(process -> process.println("go on"));
                await().until(() -> locks.inspect(LockRequest.of("account", "a"))
                                        .waiting()
                                + locks.inspect(LockRequest.of("account", "b")).waiting()
                        == 2);
                await().atMost(RECHECK.multipliedBy(2))
                        .untilAsserted(() -> assertThat(fleet(endpoint))
                                .singleElement()
                                .satisfies(deadlock -> assertThat(deadlock.members())
                                        .hasSize(2)
                                        .allMatch(member -> member.holds().startsWith("account."))
                                        .anyMatch(member -> member.label().contains(":" + one.pid() + "/"))
                                        .anyMatch(member -> member.label().contains(":" + other.pid() + "/"))));
                assertThat(deadlocks(endpoint)).as("deadlocks of this process").isEmpty();
            } finally {
                factory.destroy();
            }
        }
    }

    private static JavaProcess holder(TestRedis redis, String first, String second) {
        return JavaProcess.start(OtherHolder.class, redis.host(), "" + redis.port(), first, second);
    }

    private static List<LockReports.Deadlock> fleet(LocksEndpoint endpoint) {
        return ((LockReports.Fleet) endpoint.locks(null, "0")).deadlocks();
    }

    private static List<LockReports.Deadlock> deadlocks(LocksEndpoint endpoint) {
        return ((LockReports.Instance) endpoint.locks(null, null)).deadlocks();
    }
}
