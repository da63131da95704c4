package dev.baton.lock.support;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A client library. */
public enum Client {
    LETTUCE {
        @Override
        public Connections connect(RedisStandaloneConfiguration where) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(where);
            factory.afterPropertiesSet();
            factory.start();
            return new Connections(factory, factory::destroy);
        }
    },
    JEDIS {
        @Override
        public Connections connect(RedisStandaloneConfiguration where) {
            JedisConnectionFactory factory = new JedisConnectionFactory(where);
            factory.afterPropertiesSet();
            factory.start();
            return new Connections(factory, factory::destroy);
        }
    };

    public abstract Connections connect(RedisStandaloneConfiguration where);
}
