package dev.baton.lock.autoconfigure;

import dev.baton.lock.LockDurations;
import dev.baton.lock.Renewal;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockAttributeSource;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Gives methods the locks of another source, with leases that do not end while the application runs. Used where nothing
 * is locked: there, the end of a lease would fail a method although no other holder can follow. Thread-safe.
 */
final class EndlessLeases implements LockAttributeSource {

    private final LockAttributeSource source;

    EndlessLeases(LockAttributeSource source) {
        this.source = source;
    }

    @Override
    public boolean isCandidateClass(Class<?> targetClass) {
        return source.isCandidateClass(targetClass);
    }

    @Override
    public @Nullable LockAttribute getLockAttribute(Method method, @Nullable Class<?> targetClass) {
        LockAttribute attribute = source.getLockAttribute(method, targetClass);
        return attribute == null
                ? null
                : attribute.request(
                        attribute.request().expire(LockDurations.LONGEST_EXPIRE).renew(Renewal.NEVER));
    }
}
