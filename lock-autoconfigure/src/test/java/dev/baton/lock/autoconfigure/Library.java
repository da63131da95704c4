package dev.baton.lock.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The source from which the contexts of a test load titles, and the record of their loads. */
final class Library {

    final AtomicInteger loads = new AtomicInteger();
    Loader whileLoading = () -> {};
    boolean nothing;

    /** Returns contexts with caching, and with {@link Books} over this library. */
    ApplicationContextRunner readers(ApplicationContextRunner runner) {
        return runner.withUserConfiguration(CachingConfiguration.class)
                .withBean(Library.class, () -> this)
                .withBean(Books.class);
    }

    static @Nullable String title(ApplicationContext context) throws Exception {
        return context.getBean(Books.class).title(1, "de");
    }

    private @Nullable String load(int book, String language) throws Exception {
        int load = loads.incrementAndGet();
        whileLoading.run();
        return nothing ? null : book + " in " + language + ", load " + load;
    }

    /** A load, which a test can delay or make fail. */
    @FunctionalInterface
    interface Loader {

        void run() throws Exception;
    }

    /** A service with a cache, one per context. */
    static class Books {

        private final Library library;

        Books(Library library) {
            this.library = library;
        }

        @Cacheable(cacheNames = "books", sync = true)
        @Nullable
        String title(int book, String language) throws Exception {
            return library.load(book, language);
        }

        @Cacheable(cacheNames = "books", sync = true)
        CompletableFuture<String> later(int book) {
            return CompletableFuture.completedFuture("later");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class CachingConfiguration {}
}
