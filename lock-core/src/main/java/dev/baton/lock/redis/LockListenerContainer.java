package dev.baton.lock.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** Placeholder: never starts by itself; the store starts it in the background and keeps it alive. */
public final class LockListenerContainer extends RedisMessageListenerContainer {

    public LockListenerContainer(RedisConnectionFactory connectionFactory) {
        setConnectionFactory(connectionFactory);
    }

    @Override
    public boolean isAutoStartup() {
        return false;
    }
}
