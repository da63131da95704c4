package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Says which methods have a lock, and which. Asked at every call, so it keeps what it found. Thread-safe.
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
