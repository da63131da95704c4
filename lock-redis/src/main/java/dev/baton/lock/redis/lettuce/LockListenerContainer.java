package dev.baton.lock.redis.lettuce;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Listens on the inbox over Lettuce; over Jedis, the container is never started. The store starts the container in the
 * background, and keeps it alive. A container that starts with the application would fail the application when Redis is
 * down, and receive no messages afterwards.
 */
public final class LockListenerContainer extends RedisMessageListenerContainer {

    /** Stops after all beans that may hold a lock, and before the connection factory. */
    static final int PHASE = 1024;

    /**
     * Creates the container. As a bean, the container must not be a default candidate, so that the application's own
     * container stays the one that is injected by type.
     */
    public LockListenerContainer(RedisConnectionFactory connectionFactory) {
        setConnectionFactory(connectionFactory);
        // run on the subscription's thread and in order: a grant only completes a future
        setTaskExecutor(Runnable::run);
        // the container's recovery would sleep on the store's thread, and the store retries on its own: disable it
        setRecoveryBackoff(() -> () -> BackOffExecution.STOP);
    }

    /** Creates a container that is no bean, ready for use. */
    public static LockListenerContainer of(RedisConnectionFactory connectionFactory) {
        LockListenerContainer container = new LockListenerContainer(connectionFactory);
        container.afterPropertiesSet();
        return container;
    }

    @Override
    public boolean isAutoStartup() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Stops the container, for the store alone. The container can be started again. */
    void halt() {
        super.stop(() -> {});
    }

    /**
     * Does nothing: the store stops the container, and the store's thread may be waiting in it for a Redis that does
     * not answer.
     */
    @Override
    public void stop(Runnable callback) {
        callback.run();
    }

    /** Does nothing: the store has stopped the container, which has nothing else to give back. */
    @Override
    public void destroy() {}
}
