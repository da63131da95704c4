package dev.baton.lock.cache;

/** What becomes of a value that is not cached when the lock to load it cannot be had. */
public enum WithoutLock {

    /**
     * The exception of the lock is thrown, and nothing is loaded. A {@code CacheErrorHandler} of the application is asked
     * about it as about any failure to read the cache.
     */
    FAIL,

    /** The value is loaded and put without the lock, as if the cache were not decorated; a warning says so once. */
    LOAD
}
