package dev.baton.lock.store;

/** Placeholder of the store SPI. */
public interface LockStore extends AutoCloseable {
    @Override
    void close();
}
