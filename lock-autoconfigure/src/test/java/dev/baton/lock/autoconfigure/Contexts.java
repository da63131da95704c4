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

/** Contexts as an application with {@code lock-starter} gets them. */
final class Contexts {

    /** Nobody listens on it: the port of the discard protocol. */
    static final int NO_REDIS = 9;

    private Contexts() {}

    /** With Boot's Redis, which is not there. */
    static ApplicationContextRunner withoutRedis() {
        return at("127.0.0.1", NO_REDIS);
    }

    /** With Boot's Redis on a server. */
    static ApplicationContextRunner with(TestRedis redis) {
        return at(redis.host(), redis.port());
    }

    /** With Boot's data source and transactions on a database of that name, which all contexts of the JVM share. */
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
