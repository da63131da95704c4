package dev.baton.lock.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.support.SimpleCacheManager;

/** Tests that a manager uses the caches of its delegate, and passes everything except loading through. */
class LockingCacheManagerTests {

    private final FakeLockOperations locks = new FakeLockOperations(new Journal());
    private final ConcurrentMapCacheManager delegate = new ConcurrentMapCacheManager("books");
    private final LockingCacheManager manager = LockingCacheManager.of(delegate, locks);

    @Test
    void cachesAreThoseOfTheDelegate() {
        assertThat(manager.getCacheNames()).containsExactly("books");
        assertThat(manager.getCache("films")).isNull();
        assertThat(manager.getCache("books")).isSameAs(manager.getCache("books"));
        assertThat(manager.delegate()).isSameAs(delegate);
    }

    @Test
    void cacheReplacedByTheDelegateIsReplaced() {
        Cache before = manager.getCache("books");
        delegate.setCacheNames(List.of("books"));
        assertThat(manager.getCache("books")).isNotSameAs(before);
    }

    @Test
    void cacheIsLockedOnce() {
        Cache cache = LockingCacheManager.of(manager, locks).getCache("books");
        assertThat(cache.get("k", () -> "v")).isEqualTo("v");
        assertThat(locks.requests()).hasSize(1);
    }

    @Test
    void delegateOutsideTheContextIsInitialized() throws Exception {
        SimpleCacheManager simple = new SimpleCacheManager();
        simple.setCaches(List.of(new ConcurrentMapCache("films")));
        LockingCacheManager films = LockingCacheManager.of(simple, locks);
        films.afterPropertiesSet();
        assertThat(films.getCache("films")).isNotNull();
    }

    @Test
    void applicationCustomizesTheRequests() {
        LockingCacheManager own = LockingCacheManager.builder(delegate, locks)
                .requests(request -> request.namespace("caches"))
                .keyParts((cache, key) -> List.of("any"))
                .build();
        own.getCache("books").get(new Object(), () -> "v");
        assertThat(locks.lastRequest().namespace()).isEqualTo("caches");
        assertThat(locks.lastRequest().name()).isEqualTo("cache.books.any");
    }

    @Test
    void cacheWithAnInvalidNameIsRefused() {
        LockingCacheManager any = LockingCacheManager.of(new ConcurrentMapCacheManager(), locks);
        assertThatThrownBy(() -> any.getCache("a{b}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cache.a{b}");
    }

    @Test
    void resetReachesTheDelegate() {
        manager.getCache("books").put("k", "v");
        manager.resetCaches();
        assertThat(delegate.getCache("books").get("k")).isNull();
    }

    /**
     * Covers methods that Spring may add later, because a default method of the interface would bypass the delegate.
     */
    @ParameterizedTest
    @MethodSource("passedOn")
    void everythingElsePassesThrough(Method method) throws Exception {
        List<Method> called = new ArrayList<>();
        Cache target = recording(called);
        CacheManager single = new SingleCache(target);
        Cache cache = LockingCacheManager.of(single, locks).getCache("books");
        Object[] args = Arrays.stream(method.getParameterTypes())
                .map(type -> type == Class.class ? String.class : "k")
                .toArray();
        method.invoke(cache, args);
        assertThat(called).containsExactly(method);
        assertThat(locks.requests()).isEmpty();
    }

    static List<Method> passedOn() {
        return Arrays.stream(Cache.class.getMethods())
                .filter(method -> !List.of(method.getParameterTypes()).contains(Callable.class))
                .filter(method -> !List.of(method.getParameterTypes()).contains(Supplier.class))
                .toList();
    }

    private static Cache recording(List<Method> called) {
        InvocationHandler handler = (proxy, method, args) -> {
            called.add(method);
            return method.getReturnType() == boolean.class ? Boolean.TRUE : null;
        };
        return (Cache) Proxy.newProxyInstance(Cache.class.getClassLoader(), new Class<?>[] {Cache.class}, handler);
    }

    private record SingleCache(Cache cache) implements CacheManager {

        @Override
        public Cache getCache(String name) {
            return cache;
        }

        @Override
        public List<String> getCacheNames() {
            return List.of("books");
        }
    }
}
