package dev.baton.lock.autoconfigure;

import java.util.Map;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Adds the short names of the templates, if no other bean has them.
 *
 * <p>A second name of {@code @Bean} would hide a bean of another library or of the application that has this name, or
 * fail the start when that bean is registered later. Therefore this class adds the names after all beans are registered.
 */
final class LockBeanAliases implements BeanFactoryPostProcessor {

    private static final Map<String, String> NAMES = Map.of(
            "lockTemplate", "batonLockTemplate",
            "reactiveLockTemplate", "batonReactiveLockTemplate");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        NAMES.forEach((alias, name) -> {
            if (beanFactory.containsBeanDefinition(name) && !beanFactory.containsLocalBean(alias)) {
                beanFactory.registerAlias(name, alias);
            }
        });
    }
}
