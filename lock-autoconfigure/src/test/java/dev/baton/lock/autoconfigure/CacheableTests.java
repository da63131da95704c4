package dev.baton.lock.autoconfigure;

import static dev.baton.lock.autoconfigure.Library.title;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockContext;
import dev.baton.lock.LockOperations;
import dev.baton.lock.cache.LockingCacheManager;
import dev.baton.lock.harness.TestRedis;
import java.io.FileNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Tests {@code @Cacheable(sync = true)} in two contexts, which act as two processes of one application with a shared
 * cache.
 */
@Timeout(90)
class CacheableTests {

    private static final int THREADS = 4;
    private static final String LOCK = "lock:lock:{cache.books.1:de}";
    private static final String QUEUE = "lock:queue:{cache.books.1:de}";

    private final TestRedis redis = TestRedis.start();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Library library = new Library();
    private final ApplicationContextRunner readers =
            library.readers(Contexts.with(redis)).withPropertyValues("baton.wait-time=60s");
    private final ApplicationContextRunner unlocked = readers.withUserConfiguration(CacheInRedis.class);
    private final ApplicationContextRunner locked = unlocked.withPropertyValues("baton.cache.enabled=true");

    @AfterEach
    void end() {
        threads.shutdownNow();
        redis.close();
    }

    @Test
    void oneOfTwoProcessesLoadsIntoTheirRedisCache() {
        assertLoadedOnce(locked);
    }

    @Test
    void oneOfTwoProcessesLoadsIntoAnyOtherSharedCache() {
        CacheManager shared = new ConcurrentMapCacheManager();
        assertLoadedOnce(
                readers.withBean(CacheManager.class, () -> shared).withPropertyValues("baton.cache.enabled=true"));
    }

    @Test
    void decoratorOfTheApplicationNeedsNoProperty() {
        assertLoadedOnce(readers.withUserConfiguration(ManualDecoration.class));
    }

    private void assertLoadedOnce(ApplicationContextRunner given) {
        // each caller waits in Redis, where the test sees the waiter
        ApplicationContextRunner runner = given.withPropertyValues("baton.cohort.limit=0");
        library.whileLoading = () -> awaitQueued(2 * THREADS - 1);
        runner.run(a -> runner.run(b -> {
            List<Future<String>> titles = new ArrayList<>();
            for (ApplicationContext context : List.of(a, b)) {
                for (int i = 0; i < THREADS; i++) {
                    titles.add(threads.submit(() -> title(context)));
                }
            }
            for (Future<String> title : titles) {
                assertThat(title.get(20, TimeUnit.SECONDS)).isEqualTo("1 in de, load 1");
            }
            assertThat(library.loads).hasValue(1);
            redis.resetStats();
            assertThat(title(a)).isEqualTo("1 in de, load 1");
            assertThat(redis.commandStats()).doesNotContainKey("evalsha");
        }));
    }

    @Test
    void everyProcessLoadsByDefault() {
        CyclicBarrier both = new CyclicBarrier(2);
        library.whileLoading = () -> both.await(10, TimeUnit.SECONDS);
        unlocked.run(a -> unlocked.run(b -> {
            Future<String> one = threads.submit(() -> title(a));
            Future<String> other = threads.submit(() -> title(b));
            one.get(15, TimeUnit.SECONDS);
            other.get(15, TimeUnit.SECONDS);
            assertThat(library.loads).hasValue(2);
        }));
    }

    @Test
    void nullIsCached() {
        library.nothing = true;
        locked.run(context -> {
            assertThat(title(context)).isNull();
            assertThat(title(context)).isNull();
            assertThat(library.loads).hasValue(1);
        });
    }

    @Test
    void failureOfTheLoaderIsThrownUnchangedAndNotCached() {
        locked.run(context -> {
            library.whileLoading = () -> {
                throw new FileNotFoundException("no such book");
            };
            assertThatThrownBy(() -> title(context)).isInstanceOf(FileNotFoundException.class);
            assertThat(redis.keys()).doesNotContain(LOCK);
            library.whileLoading = () -> {};
            assertThat(title(context)).isEqualTo("1 in de, load 2");
        });
    }

    @Test
    void valueLoadedUnderALostLeaseIsReturnedAndNotCached() {
        locked.run(context -> {
            library.whileLoading = () -> {
                redis.command("DEL", LOCK);
                assertThat(LockContext.currentLease().renew()).isFalse();
            };
            assertThat(title(context)).isEqualTo("1 in de, load 1");
            library.whileLoading = () -> {};
            assertThat(title(context)).isEqualTo("1 in de, load 2");
            assertThat(title(context)).isEqualTo("1 in de, load 2");
        });
    }

    private void awaitQueued(long count) {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> redis.command("ZCARD", QUEUE), size -> size.equals(count));
    }

    @Configuration(proxyBeanMethods = false)
    static class CacheInRedis {

        @Bean
        RedisCacheManager cacheManager(RedisConnectionFactory connections) {
            return RedisCacheManager.create(connections);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ManualDecoration {

        @Bean
        CacheManager cacheManager(RedisConnectionFactory connections, LockOperations locks) {
            return LockingCacheManager.of(RedisCacheManager.create(connections), locks);
        }
    }
}
