package dev.baton.lock.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/**
 * The container of the inbox. Started by the store, in the background, and kept alive by it: a container that starts with
 * the application fails it when Redis is down, and stays deaf afterwards.
 */
public final class LockListenerContainer extends RedisMessageListenerContainer {

    /** Stops after whatever may hold a lock, and before the connection factory. */
    static final int PHASE = 1024;

    /**
     * Creates the container; as a bean it must be no default candidate, so that the application's own stays the one that
     * is injected by type.
     */
    public LockListenerContainer(RedisConnectionFactory connectionFactory) {
        setConnectionFactory(connectionFactory);
        // on the subscription's thread and in order: a grant only completes a future
        setTaskExecutor(Runnable::run);
    }

    @Override
    public boolean isAutoStartup() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
