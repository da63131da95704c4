package dev.baton.lock.annotation;

import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockAttributeSource;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads {@link DistributedLock} from the executed method, from the methods that it overrides or implements, from the
 * class, and from composed annotations. Adds the attributes of {@link LockDefaults}. Reads each method of a class once.
 * Thread-safe.
 */
public final class AnnotationLockAttributeSource implements LockAttributeSource {

    private final LockAttributeReader reader;
    private final Map<MethodClassKey, Optional<LockAttribute>> attributes = new ConcurrentHashMap<>(256);

    /**
     * Creates the source.
     *
     * @param placeholders replaces {@code ${...}} and nothing else: use {@code beanFactory::resolveEmbeddedValue}. An
     *     {@code EmbeddedValueResolver} would also evaluate <code>#{...}</code>
     */
    public AnnotationLockAttributeSource(StringValueResolver placeholders) {
        this.reader = new LockAttributeReader(placeholders);
    }

    @Override
    public boolean isCandidateClass(Class<?> targetClass) {
        return AnnotationUtils.isCandidateClass(targetClass, DistributedLock.class);
    }

    @Override
    public @Nullable LockAttribute getLockAttribute(Method method, @Nullable Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<LockAttribute> known = attributes.get(key);
        if (known == null) {
            known = Optional.ofNullable(find(method, targetClass));
            attributes.put(key, known);
        }
        return known.orElse(null);
    }

    private @Nullable LockAttribute find(Method method, @Nullable Class<?> targetClass) {
        return reader.read(AopUtils.getMostSpecificMethod(method, targetClass), targetClass);
    }
}
