package dev.baton.lock.cache;

/** Defines what happens to a missing value when the lock for loading it cannot be acquired. */
public enum WithoutLock {

    /**
     * The exception of the lock is thrown, and nothing is loaded. A {@code CacheErrorHandler} of the application
     * receives the exception, as it receives any failure to read the cache.
     */
    FAIL,

    /**
     * The value is loaded and put without the lock, as if the cache were not decorated. A warning is logged once, until
     * a later load acquires its lock.
     */
    LOAD
}
