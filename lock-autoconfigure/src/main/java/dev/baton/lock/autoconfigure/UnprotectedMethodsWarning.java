package dev.baton.lock.autoconfigure;

import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.LockedMethods;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Logs once, after bean creation, how many methods that declare a lock run without the lock. */
final class UnprotectedMethodsWarning implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(UnprotectedMethodsWarning.class);

    private final ConfigurableListableBeanFactory beanFactory;
    private final LockAttributeSource attributeSource;

    UnprotectedMethodsWarning(ConfigurableListableBeanFactory beanFactory, LockAttributeSource attributeSource) {
        this.beanFactory = beanFactory;
        this.attributeSource = attributeSource;
    }

    @Override
    public void afterSingletonsInstantiated() {
        logger.warn(
                "baton.enabled=false: nothing is locked. Methods with @DistributedLock that run unprotected: {}. The"
                        + " auto-configured LockTemplate grants everything at once.",
                new LockedMethods(attributeSource).count(beanFactory));
    }
}
