package dev.baton.lock.redis;

import dev.baton.lock.store.LockStore;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Placeholder of the Redis store. */
public final class RedisLockStore implements LockStore {

    private RedisLockStore() {}

    public static Builder builder(RedisConnectionFactory connectionFactory) {
        return new Builder();
    }

    @Override
    public void close() {}

    /** Builds a store. */
    public static final class Builder {

        public Builder namespace(String namespace) {
            return this;
        }

        public Builder listenerContainer(LockListenerContainer container) {
            return this;
        }

        public RedisLockStore build() {
            return new RedisLockStore();
        }
    }
}
