package dev.baton.lock.interceptor.advice;

import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.async.AsyncResultAdapters;
import dev.baton.lock.interceptor.expression.LockExpressions;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;

/** Prepares the lock of each method at its first call. Thread-safe. */
final class MethodLocks {

    private final Map<MethodClassKey, Optional<MethodLock>> locks = new ConcurrentHashMap<>(64);
    private final LockAttributeSource attributeSource;
    private final LockExpressions expressions;
    private final AsyncResultAdapters asyncResults;

    MethodLocks(LockAttributeSource attributeSource, BeanFactory beanFactory) {
        this.attributeSource = attributeSource;
        this.expressions = new LockExpressions(beanFactory);
        this.asyncResults = new AsyncResultAdapters(() -> beanFactory);
    }

    /** Returns the lock of the called method, or {@code null} if it has none. */
    @Nullable
    MethodLock of(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> targetClass = target == null ? null : AopUtils.getTargetClass(target);
        MethodClassKey key = new MethodClassKey(invocation.getMethod(), targetClass);
        Optional<MethodLock> known = locks.get(key);
        if (known == null) {
            known = Optional.ofNullable(prepare(invocation.getMethod(), targetClass));
            locks.put(key, known);
        }
        return known.orElse(null);
    }

    private @Nullable MethodLock prepare(Method invoked, @Nullable Class<?> targetClass) {
        LockAttribute attribute = attributeSource.getLockAttribute(invoked, targetClass);
        if (attribute == null) {
            return null;
        }
        Method executed = AopUtils.getMostSpecificMethod(invoked, targetClass);
        // a proxy class has no parameter names, but its interface does
        Method named = expressions.hasParameterNames(executed) ? executed : invoked;
        return new MethodLock(expressions, attribute, named, executed, targetClass, asyncResults);
    }
}
