package dev.baton.lock.support;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A client library. */
public enum Client {
    LETTUCE {
        @Override
        public Connections connect(RedisStandaloneConfiguration where) {
            return started(new LettuceConnectionFactory(where));
        }

        @Override
        public Connections connect(RedisClusterConfiguration where) {
            return started(new LettuceConnectionFactory(where));
        }

        private static Connections started(LettuceConnectionFactory factory) {
            factory.afterPropertiesSet();
            factory.start();
            return new Connections(factory, factory::destroy);
        }
    },
    JEDIS {
        @Override
        public Connections connect(RedisStandaloneConfiguration where) {
            return started(new JedisConnectionFactory(where));
        }

        @Override
        public Connections connect(RedisClusterConfiguration where) {
            return started(new JedisConnectionFactory(where));
        }

        private static Connections started(JedisConnectionFactory factory) {
            factory.afterPropertiesSet();
            factory.start();
            return new Connections(factory, factory::destroy);
        }
    };

    public abstract Connections connect(RedisStandaloneConfiguration where);

    public abstract Connections connect(RedisClusterConfiguration where);
}
