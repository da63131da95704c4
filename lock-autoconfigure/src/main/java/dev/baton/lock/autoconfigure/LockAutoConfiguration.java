package dev.baton.lock.autoconfigure;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of Baton: the lock on the application's Redis, and the advice for {@code @DistributedLock}.
 *
 * <p>Backs off bean by bean: an application that defines a {@code LockOperations}, a {@code LockStore} or an
 * {@code AnnotationLockAttributeSource} keeps the other beans. An application can build its own {@code LockTemplate}
 * with the {@code LockStore} and {@link LockProperties}. Other {@code LockAttributeSource} beans are asked after the
 * annotation.
 *
 * <p>The names of all beans begin with {@code baton}, except that of the health indicator, which is its key in the
 * report. {@code lockTemplate} and {@code reactiveLockTemplate} are aliases, unless another bean has that name.
 *
 * <p>The names of Boot's auto-configurations are those of Spring Boot 4 and 3.5. The auto-configuration of transactions
 * comes first, so that {@code ReactiveCommitAdvisor} is inside the transaction advice.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.aop.AopAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration"
        })
@EnableConfigurationProperties({LockProperties.class, LockLogProperties.class})
@Import({
    LockStoreConfiguration.class,
    LockEngineConfiguration.class,
    LockDefinitionConfiguration.class,
    LockStartupConfiguration.class,
    LockAdviceConfiguration.class,
    LockDisabledConfiguration.class,
    LockCacheConfiguration.class,
    LockReactiveConfiguration.class,
    LockTransactionConfiguration.class,
    LockReactiveTransactionConfiguration.class
})
public final class LockAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockBeanAliases batonBeanAliases() {
        return new LockBeanAliases();
    }

    @Bean
    static NumberToWaitTimeConverter batonWaitTimeConverter() {
        return new NumberToWaitTimeConverter();
    }

    @Bean
    static UnknownPropertyCheck batonUnknownPropertyCheck(Environment environment) {
        return new UnknownPropertyCheck(environment);
    }

    @Bean
    static ConfigurationPropertiesBindHandlerAdvisor batonDurationBindHandlerAdvisor() {
        return DurationBindHandler::new;
    }
}
