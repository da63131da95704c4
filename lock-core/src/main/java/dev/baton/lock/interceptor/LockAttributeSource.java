package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Says which methods have a lock, and which. A bean of this type protects methods from outside, beside
 * {@code @DistributedLock}, which is asked first. It is created before other beans, so declare it by a static {@code @Bean}
 * method with {@code @Role(BeanDefinition.ROLE_INFRASTRUCTURE)}.
 *
 * <p>Asked often at start-up and once per method later, and answers the same for the same method and class. Thread-safe.
 */
public interface LockAttributeSource {

    /**
     * Whether methods of this class may have a lock at all, so that others need not be looked at.
     *
     * @return false only if {@link #getLockAttribute} is null for each of its methods
     */
    default boolean isCandidateClass(Class<?> targetClass) {
        return true;
    }

    /**
     * Returns the lock of a method.
     *
     * @param method as it was called, possibly that of an interface
     * @param targetClass the class of the bean it is called on; null: the one that declares the method
     * @return null if the method has no lock
     * @throws LockDefinitionException if it has one that cannot be used
     */
    @Nullable
    LockAttribute getLockAttribute(Method method, @Nullable Class<?> targetClass);
}
