package dev.baton.lock.interceptor.validation;

import dev.baton.lock.interceptor.InterfaceMethods;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

/** Checks that calls on a finished bean reach the lock. */
final class LockAdviceCheck {

    private LockAdviceCheck() {}

    /**
     * Checks a bean.
     *
     * @param type the class of the bean
     * @param locked the methods of the bean that have a lock, at least one
     * @throws LockDefinitionException if a call on one of these methods would run without its lock
     */
    static void check(Object bean, String beanName, Class<?> type, Collection<Method> locked) {
        if (!isAdvised(bean)) {
            throw unproxied(type, locked.iterator().next(), beanName);
        }
        if (AopUtils.isJdkDynamicProxy(bean)) {
            List<Class<?>> interfaces = Arrays.asList(bean.getClass().getInterfaces());
            for (Method method : locked) {
                if (InterfaceMethods.implementedBy(method, type, interfaces).isEmpty()) {
                    throw unreachable(type, method, beanName);
                }
            }
        }
    }

    private static boolean isAdvised(@Nullable Object bean) {
        if (!(bean instanceof Advised advised)) {
            // a proxy that hides its advisors cannot be checked, so it is accepted
            return bean instanceof SpringProxy;
        }
        return Arrays.stream(advised.getAdvisors()).anyMatch(LockAdvisor.class::isInstance)
                || isAdvised(AopProxyUtils.getSingletonTarget(bean));
    }

    static LockDefinitionException unproxied(Class<?> type, Method method, String beanName) {
        return new LockDefinitionException(
                type,
                method,
                null,
                "bean '" + beanName + "' is not proxied, so the method would run without its lock",
                "If the bean is a BeanPostProcessor, an Advisor or the like, move the method to another bean; if such a bean"
                        + " needs it during its own creation, inject it there lazily (ObjectProvider, @Lazy); otherwise find"
                        + " out what replaces or wraps the bean before its proxy is created");
    }

    private static LockDefinitionException unreachable(Class<?> type, Method method, String beanName) {
        return new LockDefinitionException(
                type,
                method,
                null,
                "bean '" + beanName + "' is proxied by its interfaces, and none of them has the method, so it cannot be"
                        + " called with its lock",
                "Declare the method in an interface of the bean, or have proxies created by class"
                        + " (spring.aop.proxy-target-class=true)");
    }
}
