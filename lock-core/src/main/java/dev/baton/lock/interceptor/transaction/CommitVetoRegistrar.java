package dev.baton.lock.interceptor.transaction;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Has every transaction manager ask before a commit whether the locks that its thread works under are still held: the
 * application's own ones too, which Spring Boot gives no listeners. Only to be declared where spring-tx is present, by a static
 * {@code @Bean} method.
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
