package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tests that an asynchronous method called inside a thread-bound transaction takes no part in the transaction, in every
 * mode of {@code baton.in-transaction}.
 */
class StageInTransactionTests {

    private final TestRedis redis = TestRedis.start();

    @BeforeEach
    void begin() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
    }

    @AfterEach
    void end() {
        TransactionSynchronizationManager.clear();
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"release", "warn", "refuse"})
    void asynchronousMethodRunsOutsideTheTransactionAndReleasesWithItsResult(String mode) {
        Contexts.with(redis)
                .withBean("jobs", Jobs.class)
                .withPropertyValues("baton.in-transaction=" + mode)
                .run(context -> {
                    Jobs jobs = context.getBean(Jobs.class);
                    assertThat(jobs.isInTransaction().get(20, TimeUnit.SECONDS)).isFalse();
                    LockOperations locks = context.getBean(LockOperations.class);
                    locks.acquire(LockRequest.of("job").waitTime(Duration.ofSeconds(5)))
                            .close();
                    assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                            .isTrue();
                    assertThat(TransactionSynchronizationManager.getSynchronizations())
                            .isEmpty();
                });
    }

    static class Jobs {
        @DistributedLock("job")
        public CompletableFuture<Boolean> isInTransaction() {
            return CompletableFuture.completedFuture(TransactionSynchronizationManager.isActualTransactionActive());
        }
    }
}
