package dev.baton.lock.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.cache.interceptor.SimpleKey;

/** Tests the name of the lock of an entry, for keys of Spring and of applications. */
class StandardKeyPartsTests {

    private final CacheLocks locks = new CacheLocks("books", CacheKeyParts.standard(), UnaryOperator.identity());

    @Test
    void simpleValuesAreOnePart() {
        assertThat(name("0-201-63361-2")).isEqualTo("cache.books.0-201-63361-2");
        assertThat(name(42)).isEqualTo("cache.books.42");
        assertThat(name(TimeUnit.DAYS)).isEqualTo("cache.books.DAYS");
        assertThat(name(new UUID(0, 1))).isEqualTo("cache.books.00000000-0000-0000-0000-000000000001");
        assertThat(name(new Isbn("x"))).isEqualTo("cache.books.x");
    }

    @Test
    void methodWithoutParametersHasOneLock() {
        assertThat(name(SimpleKey.EMPTY)).isEqualTo("cache.books.global");
    }

    @Test
    void everyParameterIsAPart() {
        assertThat(name(new SimpleKey("a", 1))).isEqualTo("cache.books.a:1");
        assertThat(name(new SimpleKey("a:b"))).isNotEqualTo(name(new SimpleKey("a", "b")));
        assertThat(name(new SimpleKey("a, b"))).isNotEqualTo(name(new SimpleKey("a", "b")));
    }

    @Test
    void nullBlankAndEmptyKeysHaveNames() {
        assertThat(name(new SimpleKey("a", null))).isEqualTo("cache.books.a:(null)");
        assertThat(name("")).isEqualTo("cache.books.(blank)");
        assertThat(name(List.of())).isEqualTo("cache.books.(empty)");
    }

    @Test
    void listsAndArraysHaveOnePartPerElement() {
        assertThat(name(Arrays.asList("a", null, 3))).isEqualTo("cache.books.a:(null):3");
        assertThat(name(new SimpleKey(new long[] {1, 2}, "x"))).isEqualTo("cache.books.1:2:x");
    }

    @Test
    void keyWithoutAStableTextIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> name(Map.of("a", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key of cache 'books'")
                .hasMessageContaining("CacheKeyParts");
        assertThatThrownBy(() -> name(new SimpleKey("a", new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Object")
                .hasMessageContaining("give @Cacheable a key");
    }

    @Test
    void applicationDefinesPartsAndRequests() {
        CacheLocks own =
                new CacheLocks("books", (cache, key) -> List.of(cache, "any"), request -> request.namespace("caches"));
        LockRequest request = own.request(Map.of());
        assertThat(request.name()).isEqualTo("cache.books.books:any");
        assertThat(request.namespace()).isEqualTo("caches");
    }

    @Test
    void cacheWithAnInvalidNameIsRefused() {
        assertThatThrownBy(() -> new CacheLocks("a{b}", CacheKeyParts.standard(), UnaryOperator.identity()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a{b}");
    }

    private String name(Object key) {
        return locks.request(key).name();
    }

    record Isbn(String id) {}
}
