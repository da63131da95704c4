package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks several sources in order and uses the first lock that one of them declares for a method. Thread-safe if all
 * sources are.
 */
public final class CompositeLockAttributeSource implements LockAttributeSource {

    private final List<LockAttributeSource> sources;

    public CompositeLockAttributeSource(List<? extends LockAttributeSource> sources) {
        this.sources = List.copyOf(sources);
    }

    @Override
    public boolean isCandidateClass(Class<?> targetClass) {
        return sources.stream().anyMatch(source -> source.isCandidateClass(targetClass));
    }

    @Override
    public @Nullable LockAttribute getLockAttribute(Method method, @Nullable Class<?> targetClass) {
        for (LockAttributeSource source : sources) {
            LockAttribute attribute = source.getLockAttribute(method, targetClass);
            if (attribute != null) {
                return attribute;
            }
        }
        return null;
    }
}
