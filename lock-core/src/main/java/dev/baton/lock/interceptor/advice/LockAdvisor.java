package dev.baton.lock.interceptor.advice;

import dev.baton.lock.interceptor.LockAttributeSource;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Puts the lock around the methods that have one.
 *
 * <p>To be a bean with {@code @Role(BeanDefinition.ROLE_INFRASTRUCTURE)}: without that role the default auto-proxy
 * creator ignores it.
 */
public final class LockAdvisor extends AbstractPointcutAdvisor {

    /**
     * Outside the advice for transactions, caches and retries of Spring Retry, which have the lowest precedence unless
     * configured otherwise, so that the lock is given back after the commit. Inside {@code @Async}, and inside
     * {@code @Retryable} and {@code @ConcurrencyLimit} of Spring itself, which put themselves before all others.
     */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut;
    private final transient LockInterceptor interceptor;

    public LockAdvisor(LockAttributeSource attributeSource, LockInterceptor interceptor) {
        this.pointcut = new LockPointcut(attributeSource);
        this.interceptor = interceptor;
        setOrder(DEFAULT_ORDER);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return interceptor;
    }
}
