package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Tests that the commands of a lock are not queued while the Redis connection of the application is in a transaction or
 * a pipeline.
 */
@Timeout(60)
class RedisTransactionTests {

    private static final LockRequest STOCK = LockRequest.of("stock", 7);

    private final TestRedis redis = TestRedis.start();

    private final ApplicationContextRunner runner =
            Contexts.withDatabase(Contexts.with(redis), "redis-transactions").withUserConfiguration(Application.class);

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void lockExcludesInsideATransactionWithTransactionSupport() {
        runner.run(context -> runner.run(other -> {
            context.getBean(Stock.class).takeInTransaction(() -> assertExcludes(other));
            assertFree(other);
            assertThat(redis.command("GET", "taken")).isEqualTo("in transaction");
        }));
    }

    @Test
    void lockAcquiredInsideATransactionWithTransactionSupportExcludes() {
        runner.run(context -> runner.run(other -> {
            Stock stock = context.getBean(Stock.class);
            stock.inTransaction(() -> {
                stock.take(() -> assertExcludes(other));
                // the queued write is not visible before the commit
                assertExcludes(other);
            });
            assertFree(other);
        }));
    }

    @Test
    void lockExcludesInsideASessionWithMulti() {
        runner.run(context -> runner.run(other -> {
            context.getBean(StringRedisTemplate.class).execute(new Session() {
                @Override
                void doInSession(RedisOperations<String, String> session) {
                    session.multi();
                    session.opsForValue().set("taken", "in session");
                    context.getBean(Stock.class).take(() -> assertExcludes(other));
                    assertFree(other);
                    session.exec();
                }
            });
            assertThat(redis.command("GET", "taken")).isEqualTo("in session");
        }));
    }

    @Test
    void lockExcludesInsideAPipeline() {
        runner.run(context -> runner.run(other -> {
            context.getBean(StringRedisTemplate.class).executePipelined(new Session() {
                @Override
                void doInSession(RedisOperations<String, String> session) {
                    session.opsForValue().set("taken", "in pipeline");
                    context.getBean(LockOperations.class).executeWithoutResult(STOCK, lease -> assertExcludes(other));
                    assertFree(other);
                }
            });
            assertThat(redis.command("GET", "taken")).isEqualTo("in pipeline");
        }));
    }

    private void assertExcludes(ApplicationContext other) {
        assertThat(redis.command("EXISTS", "lock:lock:{stock.7}")).isEqualTo(1L);
        assertThat(other.getBean(LockOperations.class).tryAcquire(STOCK)).isEmpty();
    }

    private static void assertFree(AssertableApplicationContext other) {
        Optional<Lease> lease = other.getBean(LockOperations.class).tryAcquire(STOCK);
        assertThat(lease).isPresent();
        lease.get().close();
    }

    /** Work in one session, without a result and without casts. */
    abstract static class Session implements SessionCallback<@Nullable Object> {

        abstract void doInSession(RedisOperations<String, String> session);

        @Override
        @SuppressWarnings("unchecked")
        public <K, V> @Nullable Object execute(RedisOperations<K, V> operations) throws DataAccessException {
            doInSession((RedisOperations<String, String>) operations);
            return null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        StringRedisTemplate stringRedisTemplate(RedisConnectionFactory factory) {
            StringRedisTemplate template = new StringRedisTemplate(factory);
            template.setEnableTransactionSupport(true);
            return template;
        }

        @Bean
        Stock stock(StringRedisTemplate template) {
            return new Stock(template);
        }
    }

    static class Stock {

        private final StringRedisTemplate template;

        Stock(StringRedisTemplate template) {
            this.template = template;
        }

        @Transactional
        @DistributedLock(scope = "stock", key = "'7'")
        void takeInTransaction(Runnable check) {
            template.opsForValue().set("taken", "in transaction");
            check.run();
        }

        @Transactional
        void inTransaction(Runnable work) {
            template.opsForValue().set("taken", "in transaction");
            work.run();
        }

        @DistributedLock(scope = "stock", key = "'7'")
        void take(Runnable check) {
            check.run();
        }
    }
}
