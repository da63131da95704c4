package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class LockConnectionFactoriesTests {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @BeforeEach
    void defineCacheRedis() {
        define("cacheRedis", false);
    }

    @Test
    void singleFactoryIsUsed() {
        assertThat(LockConnectionFactories.select(beans, null)).isSameAs(beans.getBean("cacheRedis"));
    }

    @Test
    void primaryFactoryIsUsed() {
        define("lockRedis", true);
        assertThat(LockConnectionFactories.select(beans, null)).isSameAs(beans.getBean("lockRedis"));
    }

    @Test
    void namedFactoryOverridesThePrimaryFactory() {
        define("lockRedis", true);
        assertThat(LockConnectionFactories.select(beans, "cacheRedis")).isSameAs(beans.getBean("cacheRedis"));
    }

    @Test
    void namedFactoryOfAParentContextIsUsed() {
        DefaultListableBeanFactory child = new DefaultListableBeanFactory(beans);
        assertThat(LockConnectionFactories.select(child, "cacheRedis")).isSameAs(beans.getBean("cacheRedis"));
    }

    @Test
    void ambiguousFactoryIsRefused() {
        define("lockRedis", false);
        assertThatExceptionOfType(LockConnectionFactoryException.class)
                .isThrownBy(() -> LockConnectionFactories.select(beans, null))
                .withMessage("There are 2 beans of type RedisConnectionFactory, none of them primary: 'cacheRedis',"
                        + " 'lockRedis'. Set baton.connection-factory to the name of the one whose Redis keeps the locks, or"
                        + " mark one as @Primary.");
    }

    private void define(String name, boolean primary) {
        beans.registerBeanDefinition(
                name,
                BeanDefinitionBuilder.genericBeanDefinition(
                                RedisConnectionFactory.class,
                                () -> new LettuceConnectionFactory("127.0.0.1", Contexts.NO_REDIS))
                        .setPrimary(primary)
                        .getBeanDefinition());
    }
}
