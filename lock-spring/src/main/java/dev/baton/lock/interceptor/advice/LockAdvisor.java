package dev.baton.lock.interceptor.advice;

import dev.baton.lock.interceptor.LockAttributeSource;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Applies the lock to the methods that have one.
 *
 * <p>Must be a bean with {@code @Role(BeanDefinition.ROLE_INFRASTRUCTURE)}: without that role, the default auto-proxy
 * creator ignores the advisor.
 */
public final class LockAdvisor extends AbstractPointcutAdvisor {

    /**
     * The default order. The lock is outside the advice for transactions, caches and retries of Spring Retry, so that
     * the lock is released after the commit. Such advice has the lowest precedence unless configured otherwise. The
     * lock is inside {@code @Async}, and inside Spring's own {@code @Retryable} and {@code @ConcurrencyLimit}, which
     * place themselves before all other advice.
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
