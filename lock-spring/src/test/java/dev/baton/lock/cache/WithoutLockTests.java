package dev.baton.lock.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.baton.lock.Lease;
import dev.baton.lock.LockAsyncCallback;
import dev.baton.lock.LockCallback;
import dev.baton.lock.LockException;
import dev.baton.lock.LockLostException;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.LogCapture;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;

/** Tests loading without a lock: after a refused lock, and after a lock that is lost while the value is loaded. */
class WithoutLockTests {

    private final LockException busy = new LockTimeoutException("cache.books.k", Duration.ofSeconds(10), null);
    private final LockException down = new LockStoreException("cache.books.k", "Redis is down", null);

    private final Journal journal = new Journal();
    private final ConcurrentMapCacheManager delegate = new ConcurrentMapCacheManager("books");

    @Test
    void refusedLockLoadsNothingByDefault() {
        for (LockException refusal : new LockException[] {busy, down}) {
            Cache cache = cache(new RefusingOperations(refusal), builder -> builder);
            assertThatThrownBy(() -> cache.get("k", this::load)).isSameAs(refusal);
        }
        assertThat(journal.entries()).isEmpty();
    }

    @Test
    void valueIsLoadedAndPutWithoutALock() {
        Cache lateCache = cache(new RefusingOperations(busy), builder -> builder.onTimeout(WithoutLock.LOAD));
        assertThat(lateCache.get("a", this::load)).isEqualTo("Emma");
        Cache deafCache = cache(new RefusingOperations(down), builder -> builder.onStoreFailure(WithoutLock.LOAD));
        assertThat(deafCache.get("b", this::load)).isEqualTo("Emma");
        assertThat(delegate.getCache("books").get("a", String.class)).isEqualTo("Emma");
        assertThat(delegate.getCache("books").get("b", String.class)).isEqualTo("Emma");
    }

    @Test
    void timeoutAndStoreFailureHaveSeparateSettings() {
        Cache lateCache = cache(new RefusingOperations(busy), builder -> builder.onStoreFailure(WithoutLock.LOAD));
        assertThatThrownBy(() -> lateCache.get("k", this::load)).isSameAs(busy);
        Cache deafCache = cache(new RefusingOperations(down), builder -> builder.onTimeout(WithoutLock.LOAD));
        assertThatThrownBy(() -> deafCache.get("k", this::load)).isSameAs(down);
    }

    @Test
    void valueStoredAtTheEndOfTheWaitIsNotLoaded() {
        RefusingOperations locks = new RefusingOperations(busy);
        locks.before = () -> delegate.getCache("books").put("k", "other's");
        Cache cache = cache(locks, builder -> builder.onTimeout(WithoutLock.LOAD));
        assertThat(cache.get("k", this::load)).isEqualTo("other's");
        assertThat(journal.entries()).isEmpty();
    }

    @Test
    void outageIsLoggedOncePerOutage() {
        RefusingOperations locks = new RefusingOperations(down);
        Cache cache = cache(locks, builder -> builder.onStoreFailure(WithoutLock.LOAD));
        try (LogCapture log = new LogCapture(LockingCacheManager.class.getName())) {
            cache.get("a", this::load);
            cache.get("b", this::load);
            cache.get("a", this::load);
            assertThat(log.messages(Level.WARN)).hasSize(1).first().asString().contains("Redis is down");
            locks.refusal = null;
            cache.get("c", this::load);
            locks.refusal = down;
            cache.get("d", this::load);
            assertThat(log.messages(Level.WARN)).hasSize(2);
        }
    }

    @Test
    void failureOfALockInsideTheLoaderIsAFailureOfTheLoader() {
        Cache cache = cache(new FakeLockOperations(journal), builder -> builder.onTimeout(WithoutLock.LOAD));
        assertThatThrownBy(() -> cache.get("k", () -> {
                    journal.add("load");
                    throw busy;
                }))
                .isInstanceOf(Cache.ValueRetrievalException.class)
                .hasCause(busy);
        assertThat(journal.entries()).containsOnlyOnce("load");
    }

    @Test
    void leaseLostBeforeTheLoadFailsTheCall() {
        LockException lost = new LockLostException("cache.books.k", "me", 7, Duration.ZERO, "the test took it", null);
        Cache cache = cache(new RefusingOperations(lost), builder -> builder.onTimeout(WithoutLock.LOAD));
        assertThatThrownBy(() -> cache.get("k", this::load)).isSameAs(lost);
    }

    private Cache cache(LockOperations locks, UnaryOperator<LockingCacheManagerBuilder> settings) {
        return settings.apply(LockingCacheManager.builder(delegate, locks))
                .build()
                .getCache("books");
    }

    private String load() {
        journal.add("load");
        return "Emma";
    }

    /** Refuses every request, or grants it. */
    private final class RefusingOperations implements LockOperations {

        private final FakeLockOperations granting = new FakeLockOperations(new Journal());
        private Runnable before = () -> {};
        private @Nullable LockException refusal;

        private RefusingOperations(LockException refusal) {
            this.refusal = refusal;
        }

        @Override
        public <T extends @Nullable Object, E extends Exception> T execute(
                LockRequest request, LockCallback<T, E> action) throws E {
            before.run();
            if (refusal != null) {
                throw refusal;
            }
            return granting.execute(request, action);
        }

        @Override
        public <T extends @Nullable Object, E extends Exception> LockResult<T> tryExecute(
                LockRequest request, LockCallback<T, E> action) {
            throw new UnsupportedOperationException("a cache waits");
        }

        @Override
        public Lease acquire(LockRequest request) {
            throw new UnsupportedOperationException("a cache keeps no lease");
        }

        @Override
        public Optional<Lease> tryAcquire(LockRequest request) {
            throw new UnsupportedOperationException("a cache keeps no lease");
        }

        @Override
        public Lease forceAcquire(LockRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Lease> forceAcquireAsync(LockRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public LockState inspect(LockRequest request) {
            throw new UnsupportedOperationException("a cache looks at no lock");
        }

        @Override
        public boolean isLocked(LockRequest request) {
            throw new UnsupportedOperationException("a cache looks at no lock");
        }

        @Override
        public Stream<LockState> list(String pattern, @Nullable String namespace) {
            throw new UnsupportedOperationException("a cache looks at no lock");
        }

        @Override
        public boolean forceRelease(LockRequest request) {
            throw new UnsupportedOperationException("a cache takes no lock away");
        }

        @Override
        public CompletionStage<Lease> acquireAsync(LockRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T extends @Nullable Object> CompletionStage<T> executeAsync(
                LockRequest request, LockAsyncCallback<T> work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public LockOperations withNamespace(String namespace) {
            throw new UnsupportedOperationException("a cache has its requests changed");
        }
    }
}
