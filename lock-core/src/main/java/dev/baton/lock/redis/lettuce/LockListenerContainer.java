package dev.baton.lock.redis.lettuce;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.util.backoff.BackOffExecution;

/**
 * The container of the inbox over Lettuce; over Jedis it is never started. Started by the store, in the background, and kept
 * alive by it: a container that starts with the application fails it when Redis is down, and stays deaf afterwards.
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
        // its own recovery would sleep on the store's thread; the store tries again by itself
        setRecoveryBackoff(() -> () -> BackOffExecution.STOP);
    }

    @Override
    public boolean isAutoStartup() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Stops it, for the store alone; it can be started again. */
    void halt() {
        super.stop(() -> {});
    }

    /** Does nothing: the store stops it, whose thread may just be waiting in it for a Redis that does not answer. */
    @Override
    public void stop(Runnable callback) {
        callback.run();
    }

    /** Does nothing: the store has stopped it, and it has nothing else to give back. */
    @Override
    public void destroy() {}
}
