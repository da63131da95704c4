package dev.baton.lock.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What the contexts of a test load their titles from, and do meanwhile. */
final class Library {

    final AtomicInteger loads = new AtomicInteger();
    Loading whileLoading = () -> {};
    boolean nothing;

    /** Contexts with caching, and {@link Books} over this library. */
    ApplicationContextRunner readers(ApplicationContextRunner runner) {
        return runner.withUserConfiguration(Caching.class)
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

    /** Takes as long as a test wants, or fails. */
    @FunctionalInterface
    interface Loading {

        void run() throws Exception;
    }

    /** The service with a cache, one per context. */
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
    static class Caching {}
}
