package dev.baton.lock.interceptor.transaction;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Makes every {@link ConfigurableTransactionManager} check before a commit whether the locks under which its thread works are still held.
 * Includes managers that the application declares, because Spring Boot gives them no listeners. Must be declared only
 * where spring-tx is present, by a static {@code @Bean} method.
 */
public final class CommitVetoRegistrar implements BeanPostProcessor {

    private final CommitVeto veto = new CommitVeto();

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            boolean known = manager.getTransactionExecutionListeners().stream().anyMatch(CommitVeto.class::isInstance);
            if (!known) {
                manager.addListener(veto);
            }
        }
        return bean;
    }
}
