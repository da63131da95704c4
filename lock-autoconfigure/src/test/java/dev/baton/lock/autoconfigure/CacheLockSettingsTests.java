package dev.baton.lock.autoconfigure;

import static dev.baton.lock.autoconfigure.Library.title;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.cache.CacheKeyParts;
import dev.baton.lock.cache.LockingCacheManager;
import dev.baton.lock.harness.TestRedis;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.CacheErrorHandler;
import org.springframework.cache.interceptor.LoggingCacheErrorHandler;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests {@code baton.cache.*}: which cache managers are decorated, and how a load without its lock behaves. */
@Timeout(60)
@Tag("once")
class CacheLockSettingsTests {

    private final TestRedis redis = TestRedis.start();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Library library = new Library();
    private final ApplicationContextRunner readers = library.readers(Contexts.with(redis));
    private final ApplicationContextRunner unlocked =
            readers.withBean(CacheManager.class, ConcurrentMapCacheManager::new);
    private final ApplicationContextRunner locked =
            unlocked.withPropertyValues("baton.cache.enabled=true", "baton.wait-time=1s");

    @AfterEach
    void end() {
        threads.shutdownNow();
        redis.close();
    }

    @Test
    void managersAreNotDecoratedByDefault() {
        unlocked.run(context ->
                assertThat(context.getBean(CacheManager.class)).isInstanceOf(ConcurrentMapCacheManager.class));
        unlocked.withPropertyValues("baton.cache.enabled=false")
                .run(context ->
                        assertThat(context.getBean(CacheManager.class)).isInstanceOf(ConcurrentMapCacheManager.class));
    }

    @Test
    void everyManagerIsDecoratedOnce() {
        locked.run(context -> {
            LockingCacheManager manager = context.getBean(LockingCacheManager.class);
            assertThat(manager.delegate()).isInstanceOf(ConcurrentMapCacheManager.class);
        });
        readers.withPropertyValues("baton.cache.enabled=true")
                .withUserConfiguration(ManualDecoration.class)
                .run(context -> assertThat(
                                context.getBean(LockingCacheManager.class).delegate())
                        .isInstanceOf(ConcurrentMapCacheManager.class));
    }

    @Test
    void managerWithoutCachesIsNotDecorated() {
        readers.withPropertyValues("baton.cache.enabled=true")
                .withBean(CacheManager.class, NoOpCacheManager::new)
                .run(context -> assertThat(context.getBean(CacheManager.class)).isInstanceOf(NoOpCacheManager.class));
    }

    @Test
    void loadFailsWhileRedisIsDown() {
        locked.run(context -> {
            redis.stop();
            assertThatThrownBy(() -> title(context)).isInstanceOf(LockStoreException.class);
            assertThat(library.loads).hasValue(0);
        });
    }

    @Test
    void loadContinuesWhileRedisIsDownIfConfigured() {
        locked.withPropertyValues("baton.cache.on-store-failure=load").run(context -> {
            redis.stop();
            assertThat(title(context)).isEqualTo("1 in de, load 1");
            assertThat(title(context)).isEqualTo("1 in de, load 1");
        });
    }

    @Test
    void errorHandlerOfTheApplicationApplies() {
        locked.withUserConfiguration(LenientErrorHandler.class).run(context -> {
            redis.stop();
            assertThat(title(context)).isEqualTo("1 in de, load 1");
        });
    }

    @Test
    void loadFailsWhileAnotherLoadTakesTooLong() {
        locked.run(context -> whileAnotherHolds(context.getBean(LockOperations.class), () -> {
            assertThatThrownBy(() -> title(context))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("cache.books.1:de");
            return null;
        }));
        assertThat(library.loads).hasValue(0);
    }

    @Test
    void loadContinuesWhileAnotherLoadTakesTooLongIfConfigured() {
        locked.withPropertyValues("baton.cache.on-timeout=load")
                .run(context -> whileAnotherHolds(context.getBean(LockOperations.class), () -> {
                    assertThat(title(context)).isEqualTo("1 in de, load 1");
                    return null;
                }));
    }

    @Test
    void beanOfTheApplicationDefinesTheKeyParts() {
        locked.withBean(CacheKeyParts.class, () -> (cache, key) -> List.of("any"))
                .run(context -> {
                    library.whileLoading = () -> assertThat(redis.keys()).contains("lock:lock:{cache.books.any}");
                    assertThat(title(context)).isNotNull();
                });
    }

    @Test
    void asynchronousValuesAreRefused() {
        locked.run(context -> assertThatThrownBy(
                        () -> context.getBean(Library.Books.class).later(1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'books'"));
    }

    private void whileAnotherHolds(LockOperations locks, Callable<?> action) throws Exception {
        Lease lease = threads.submit(() ->
                        locks.acquire(LockRequest.of("cache.books", 1, "de").waitUnbounded()))
                .get(10, TimeUnit.SECONDS);
        action.call();
        assertThat(lease.release()).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    static class ManualDecoration {

        @Bean
        CacheManager cacheManager(LockOperations locks) {
            return LockingCacheManager.of(new ConcurrentMapCacheManager(), locks);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LenientErrorHandler implements CachingConfigurer {

        @Override
        public CacheErrorHandler errorHandler() {
            return new LoggingCacheErrorHandler();
        }
    }
}
