package dev.baton.lock.cache;

import dev.baton.lock.testing.Journal;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.concurrent.ConcurrentMapCache;

/** A cache that keeps a journal, and that a test can make fail. */
final class TestCache extends ConcurrentMapCache {

    private final Journal journal;
    boolean lookFails;
    boolean putFails;
    Runnable beforeLook = () -> {};

    TestCache(Journal journal, boolean allowNullValues) {
        super("books", allowNullValues);
        this.journal = journal;
    }

    @Override
    public @Nullable ValueWrapper get(Object key) {
        journal.add("look");
        beforeLook.run();
        if (lookFails) {
            throw new IllegalStateException("cache down");
        }
        return super.get(key);
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        journal.add("put");
        if (putFails) {
            throw new IllegalStateException("cache down");
        }
        super.put(key, value);
    }
}
