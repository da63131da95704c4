package dev.baton.lock.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.transaction.TransactionAwareCacheDecorator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Tests an entry that is loaded under its lock: values, nulls, and failures of the loader and the cache. */
class LockingCacheTests {

    private final Journal journal = new Journal();
    private final FakeLockOperations locks = new FakeLockOperations(journal);
    private final TestCache target = new TestCache(journal, true);
    private final Cache cache = locking(target);
    private @Nullable String value = "Emma";

    @Test
    void missingEntryIsLoadedUnderItsLock() {
        assertThat(cache.get("k", this::load)).isEqualTo("Emma");
        assertThat(journal.entries())
                .containsExactly("look", "acquire cache.books.k", "look", "load", "put", "release cache.books.k");
        assertThat(target.get("k", String.class)).isEqualTo("Emma");
    }

    @Test
    void presentEntryNeedsNoLock() {
        target.put("k", "old");
        assertThat(cache.get("k", this::load)).isEqualTo("old");
        assertThat(journal.entries()).containsExactly("put", "look");
    }

    @Test
    void entryStoredDuringTheWaitIsNotLoaded() {
        target.beforeLook = () -> {
            target.beforeLook = () -> target.put("k", "other's");
        };
        assertThat(cache.get("k", this::load)).isEqualTo("other's");
        assertThat(journal.entries()).doesNotContain("load");
    }

    @Test
    void storedNullIsAValue() {
        value = null;
        assertThat(cache.get("k", this::load)).isNull();
        assertThat(cache.get("k", this::load)).isNull();
        assertThat(journal.entries()).containsOnlyOnce("load").containsOnlyOnce("put");
    }

    @Test
    void cacheWithoutNullsStillRefusesNull() {
        Cache withoutNulls = locking(new TestCache(journal, false));
        value = null;
        assertThatThrownBy(() -> withoutNulls.get("k", this::load)).isInstanceOf(IllegalArgumentException.class);
        assertThat(journal.entries()).endsWith("put", "release cache.books.k");
    }

    @Test
    void failureOfTheLoaderIsTheCause() {
        Callable<String> loader = () -> {
            throw new IOException("no");
        };
        assertThatThrownBy(() -> cache.get("k", loader))
                .isInstanceOfSatisfying(
                        Cache.ValueRetrievalException.class,
                        failure -> assertThat(failure.getKey()).isEqualTo("k"))
                .hasCauseInstanceOf(IOException.class);
        assertThat(journal.entries()).containsExactly("look", "acquire cache.books.k", "look", "release cache.books.k");
    }

    @Test
    void failedLookupAcquiresNoLock() {
        target.lookFails = true;
        assertThatThrownBy(() -> cache.get("k", this::load)).hasMessage("cache down");
        assertThat(journal.entries()).containsExactly("look");
    }

    @Test
    void failedSecondLookupLoadsNothing() {
        target.beforeLook = () -> {
            target.beforeLook = () -> target.lookFails = true;
        };
        assertThatThrownBy(() -> cache.get("k", this::load)).hasMessage("cache down");
        assertThat(journal.entries()).containsExactly("look", "acquire cache.books.k", "look", "release cache.books.k");
    }

    @Test
    void failedPutReachesTheCaller() {
        target.putFails = true;
        assertThatThrownBy(() -> cache.get("k", this::load)).hasMessage("cache down");
        assertThat(journal.entries()).endsWith("load", "put", "release cache.books.k");
    }

    @Test
    void valueIsStoredBeforeTheReleaseInsideATransaction() {
        Cache later = locking(new TransactionAwareCacheDecorator(target));
        TransactionSynchronizationManager.initSynchronization();
        try {
            later.get("k", this::load);
            assertThat(journal.entries()).endsWith("load", "put", "release cache.books.k");
            later.put("other", "after the commit");
            assertThat(target.get("other")).isNull();
        } finally {
            TransactionSynchronizationManager.clear();
        }
    }

    @Test
    void asynchronousValuesAreRefused() {
        assertThatThrownBy(() -> cache.retrieve("k", () -> CompletableFuture.completedFuture("v")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'books'")
                .hasMessageContaining("sync = true");
    }

    private Cache locking(Cache over) {
        return new LockingCache(
                over,
                new CacheLocks("books", CacheKeyParts.standard(), request -> request),
                new LockedLoading(locks, WithoutLock.FAIL, WithoutLock.FAIL));
    }

    private @Nullable String load() {
        journal.add("load");
        return value;
    }
}
