package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.redis.RedisLockStore;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The settings with which no lock is shared; none of them needs a Redis to be. */
class ExclusiveOnlyTests {

    private static final LockRequest SHARED = LockRequest.of("report").mode(LockMode.SHARED);

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "GRANT")
    void sharedRequestsAreRefusedWithoutAQueue(WaitStrategy strategy) {
        assertThatThrownBy(() -> check(SHARED, builder -> builder.waitStrategy(strategy)))
                .isInstanceOf(UnservedRequestException.class)
                .hasMessageStartingWith("mode SHARED of lock 'report.global' is not possible, because wait strategy "
                        + strategy.name().toLowerCase(Locale.ROOT) + " has exclusive locks only")
                .hasMessageEndingWith("use baton.handler: script and baton.wait-strategy: grant, or mode EXCLUSIVE");
    }

    @Test
    void sharedRequestsAreRefusedByTransaction() {
        assertThatThrownBy(() -> check(SHARED, builder -> builder.handler(LockHandler.TRANSACTION)))
                .isInstanceOf(UnservedRequestException.class)
                .hasMessageContaining("because handler transaction has exclusive locks only");
        assertThatThrownBy(() -> check(
                        LockRequest.of("order", 1).and(SHARED), builder -> builder.handler(LockHandler.TRANSACTION)))
                .isInstanceOf(UnservedRequestException.class);
        assertThatCode(() -> check(LockRequest.of("report"), builder -> builder.handler(LockHandler.TRANSACTION)))
                .doesNotThrowAnyException();
    }

    @Test
    void requestsForPermitsAreRefusedInTheSameWay() {
        LockRequest permits = LockRequest.of("api").permits(3);
        assertThatThrownBy(() -> check(permits, builder -> builder.handler(LockHandler.TRANSACTION)))
                .isInstanceOf(UnservedRequestException.class)
                .hasMessage("permits of semaphore 'api.global' are not possible, because handler transaction has"
                        + " exclusive locks only; use baton.handler: script and baton.wait-strategy: grant, or a lock");
        assertThatThrownBy(() -> check(permits, builder -> builder.waitStrategy(WaitStrategy.KEYSPACE)))
                .isInstanceOf(UnservedRequestException.class)
                .hasMessageContaining("wait strategy keyspace has exclusive locks only");
        assertThatCode(() -> check(permits, builder -> {})).doesNotThrowAnyException();
    }

    @Test
    void scriptsAndQueuesShareLocks() {
        assertThat(store(builder -> {}).traits().exclusiveOnly()).isNull();
        assertThatCode(() -> check(SHARED, builder -> {})).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "GRANT")
    void conditionsAreRefusedWithoutAQueue(WaitStrategy strategy) {
        assertThatThrownBy(() -> checkConditions(builder -> builder.waitStrategy(strategy)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageStartingWith("lock 'report.global' has no conditions: wait strategy "
                        + strategy.name().toLowerCase(Locale.ROOT) + " has no conditions")
                .hasMessageEndingWith("use wait strategy grant (baton.wait-strategy)");
    }

    @Test
    void conditionsAreRefusedByTransaction() {
        assertThatThrownBy(() -> checkConditions(builder -> builder.handler(LockHandler.TRANSACTION)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageEndingWith("use handler script (baton.handler)");
    }

    @Test
    void scriptsAndQueuesHaveConditions() {
        assertThatCode(() -> checkConditions(builder -> {})).doesNotThrowAnyException();
    }

    private static void checkConditions(Consumer<RedisLockStore.Builder> settings) {
        RequestValidator.checkConditions(
                "report.global", 1, store(settings).traits().noConditions());
    }

    private static void check(LockRequest request, Consumer<RedisLockStore.Builder> settings) {
        RequestValidator.checkShared(request, store(settings).traits().exclusiveOnly());
    }

    private static RedisLockStore store(Consumer<RedisLockStore.Builder> settings) {
        RedisLockStore.Builder builder = RedisLockStore.builder(new LettuceConnectionFactory("127.0.0.1", 9));
        settings.accept(builder);
        return builder.build();
    }
}
