package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Determines which methods have a lock, and which lock. A bean of this type protects methods from outside, in addition
 * to {@code @DistributedLock}, which is consulted first. Such a bean is created before other beans, so declare it by a
 * static {@code @Bean} method with {@code @Role(BeanDefinition.ROLE_INFRASTRUCTURE)}.
 *
 * <p>A source is called often at start-up and once per method later, and returns the same answer for the same method
 * and class. Thread-safe.
 */
public interface LockAttributeSource {

    /**
     * Returns whether methods of this class may have a lock at all. The methods of other classes need not be examined.
     *
     * @return {@code false} only if {@link #getLockAttribute} returns {@code null} for each of its methods
     */
    default boolean isCandidateClass(Class<?> targetClass) {
        return true;
    }

    /**
     * Returns the lock of a method.
     *
     * @param method the method as it was called, possibly that of an interface
     * @param targetClass the class of the bean that the method is called on, or {@code null} for the class that
     *     declares the method
     * @return the lock, or {@code null} if the method has none
     * @throws LockDefinitionException if the method has a lock that cannot be used
     */
    @Nullable
    LockAttribute getLockAttribute(Method method, @Nullable Class<?> targetClass);
}
