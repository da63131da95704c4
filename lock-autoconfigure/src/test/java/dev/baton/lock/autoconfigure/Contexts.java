package dev.baton.lock.autoconfigure;

import dev.baton.lock.harness.TestRedis;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/** Creates contexts like those of an application with {@code baton-spring-boot-starter}. */
final class Contexts {

    /** A port without a listener, which is that of the discard protocol. */
    static final int NO_REDIS = 9;

    private Contexts() {}

    /** Returns a context with the Redis of Boot, which cannot be reached. */
    static ApplicationContextRunner withoutRedis() {
        return at("127.0.0.1", NO_REDIS);
    }

    /** Returns a context with the Redis of Boot on a server. */
    static ApplicationContextRunner with(TestRedis redis) {
        return at(redis.host(), redis.port());
    }

    /**
     * Adds the data source and transactions of Boot on a database of this name, which all contexts of the JVM share.
     */
    static ApplicationContextRunner withDatabase(ApplicationContextRunner runner, String database) {
        return runner.withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        TransactionAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1");
    }

    private static ApplicationContextRunner at(String host, int port) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LockAutoConfiguration.class, AopAutoConfiguration.class, DataRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.host=" + host, "spring.data.redis.port=" + port);
    }
}
