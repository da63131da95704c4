package dev.baton.lock.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockHandler;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.OnLost;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.CurrentLocks;
import dev.baton.lock.support.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests the problem that the endpoint reports if Redis cannot give the state of a lock. */
@Timeout(60)
class LocksEndpointProblemTests {

    private static final LockRequest HELD =
            LockRequest.of("account", "a").owner("holder").onLost(OnLost.LOG);
    private static final LockRequest WAITING =
            LockRequest.of("account", "a").owner("waiter").waitUnbounded();

    private final TestRedis redis = TestRedis.start();
    private final LettuceConnectionFactory factory = new LettuceConnectionFactory(redis.host(), redis.port());
    private final CurrentLocks current = new CurrentLocks();

    LocksEndpointProblemTests() {
        factory.afterPropertiesSet();
        factory.start();
    }

    @AfterEach
    void end() {
        factory.destroy();
        redis.close();
    }

    @Test
    void unreachableRedisLeavesTheLocalState() {
        assertOwnLocks(LockHandler.SCRIPT, redis::stop, "Redis at " + redis.host() + ":" + redis.port());
    }

    @Test
    void hungRedisLeavesTheLocalState() {
        assertOwnLocks(LockHandler.SCRIPT, redis::pause, "Redis at " + redis.host() + ":" + redis.port());
    }

    @ParameterizedTest
    @EnumSource(names = {"SCRIPT", "TRANSACTION"})
    void eitherHandlerAnswersAllRequests(LockHandler handler) {
        try (LockTemplate locks = template(handler)) {
            Lease lease = locks.acquire(HELD);
            LocksEndpoint endpoint = endpoint(locks, Show.ALWAYS);
            LockReports.Instance instance = instance(endpoint, null);
            assertThat(instance.problem()).isNull();
            assertThat(instance.held()).singleElement().satisfies(held -> {
                assertThat(held.remainingMillis()).isPositive();
                assertThat(held.queue()).isEmpty();
            });
            assertThat(endpoint.lock("account.a", null, null)).isNotNull();
            assertThat(endpoint.locks(null, "0")).isNotNull();
            assertThat(endpoint.forceRelease("account.a", null, null)).isNotNull();
            await().until(() -> !lease.isHeld());
        }
    }

    @Test
    void noLocksAreNoProblem() {
        try (LockTemplate locks = template(LockHandler.TRANSACTION)) {
            assertThat(endpoint(locks, Show.ALWAYS).locks(null, null))
                    .isEqualTo(new LockReports.Instance(List.of(), List.of(), List.of(), List.of(), null));
        }
    }

    private void assertOwnLocks(LockHandler handler, Runnable trouble, String problem) {
        try (LockTemplate locks = template(handler)) {
            Lease lease = locks.acquire(HELD);
            CompletableFuture<Lease> waiting = locks.acquireAsync(WAITING).toCompletableFuture();
            await().until(() -> current.waitingCount() == 1);
            trouble.run();
            LocksEndpoint endpoint = endpoint(locks, Show.ALWAYS);
            LockReports.Instance instance = instance(endpoint, null);
            assertThat(instance.problem()).contains(problem);
            assertThat(instance.deadlocks()).isNull();
            assertHeld(instance, lease);
            assertWaiting(instance);
            assertThat(instance(endpoint, "other").held()).isEmpty();
            assertKeysAreHidden(instance(endpoint(locks, Show.NEVER), null));
            assertOthersFail(endpoint, problem);
            waiting.cancel(false);
        }
    }

    private static void assertHeld(LockReports.Instance instance, Lease lease) {
        assertThat(instance.held()).singleElement().satisfies(held -> {
            assertThat(held.locks()).containsExactly("account.a");
            assertThat(held.scope()).isEqualTo("account");
            assertThat(held.owner()).isEqualTo(lease.owner());
            assertThat(held.label()).endsWith("/holder");
            assertThat(held.token()).isEqualTo(lease.fencingToken());
            assertThat(held.remainingMillis()).isNull();
            assertThat(held.queue()).isNull();
        });
    }

    private static void assertWaiting(LockReports.Instance instance) {
        assertThat(instance.waiting()).singleElement().satisfies(waiting -> {
            assertThat(waiting.locks()).containsExactly("account.a");
            assertThat(waiting.label()).endsWith("/waiter");
            assertThat(waiting.holder()).isNull();
        });
    }

    private static void assertKeysAreHidden(LockReports.Instance instance) {
        assertThat(instance.held().get(0).locks()).containsExactly("account.******");
        assertThat(instance.waiting().get(0).locks()).containsExactly("account.******");
        assertThat(instance.problem()).doesNotContain("account.a");
    }

    private static void assertOthersFail(LocksEndpoint endpoint, String problem) {
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> endpoint.lock("account.a", null, null))
                .withMessageContaining("'account.a'")
                .withMessageContaining(problem);
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> endpoint.locks(null, "0"))
                .withMessageContaining(problem);
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> endpoint.forceRelease("account.a", null, null))
                .withMessageContaining(problem);
    }

    private LockTemplate template(LockHandler handler) {
        return LockTemplate.builder(
                        RedisLockStore.builder(factory).handler(handler).build())
                .commandTimeout(Duration.ofMillis(300))
                .listener(current)
                .shutdownAwait(Duration.ZERO)
                .build();
    }

    private LocksEndpoint endpoint(LockTemplate locks, Show show) {
        return new LocksEndpoint(locks, current, new ForceReleaseAudit(event -> {}), show, Set.of());
    }

    private static LockReports.Instance instance(LocksEndpoint endpoint, String scope) {
        return (LockReports.Instance) endpoint.locks(scope, null);
    }
}
