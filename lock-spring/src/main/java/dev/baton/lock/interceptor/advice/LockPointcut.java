package dev.baton.lock.interceptor.advice;

import dev.baton.lock.interceptor.LockAttributeSource;
import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Matches the methods that have a lock. */
final class LockPointcut extends StaticMethodMatcherPointcut {

    private final LockAttributeSource attributeSource;

    LockPointcut(LockAttributeSource attributeSource) {
        this.attributeSource = attributeSource;
        setClassFilter(attributeSource::isCandidateClass);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return attributeSource.getLockAttribute(method, targetClass) != null;
    }
}
