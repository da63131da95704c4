package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.util.ClassUtils;

/** Finds the methods that have a lock. Thread-safe. */
public final class LockedMethods {

    private final LockAttributeSource attributeSource;
    private final Map<Class<?>, Map<Method, LockAttribute>> methods = new ConcurrentHashMap<>(64);

    public LockedMethods(LockAttributeSource attributeSource) {
        this.attributeSource = attributeSource;
    }

    /**
     * Returns the methods of a class that have a lock: what a call executes, or for a proxy the methods of its interfaces.
     *
     * @throws LockDefinitionException if one of them cannot be used
     */
    Map<Method, LockAttribute> of(Class<?> type) {
        if (!attributeSource.isCandidateClass(type)) {
            return Map.of();
        }
        Map<Method, LockAttribute> known = methods.get(type);
        if (known == null) {
            known = Collections.unmodifiableMap(MethodIntrospector.selectMethods(
                    type, (MetadataLookup<LockAttribute>) method -> attributeSource.getLockAttribute(method, type)));
            methods.put(type, known);
        }
        return known;
    }

    /**
     * Counts the methods that have a lock, once per class however many beans it has, as far as the classes are known without
     * creating the beans: to say how much goes unprotected where nothing is locked. A lock that cannot be used counts too.
     */
    public int count(ConfigurableListableBeanFactory beanFactory) {
        return Arrays.stream(beanFactory.getBeanDefinitionNames())
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .filter(name -> !beanFactory.getMergedBeanDefinition(name).isAbstract())
                .flatMap(name -> beanClass(beanFactory, name).stream())
                .distinct()
                .filter(attributeSource::isCandidateClass)
                .mapToInt(this::count)
                .sum();
    }

    private static Optional<Class<?>> beanClass(ConfigurableListableBeanFactory beanFactory, String name) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, name);
        return type == null ? Optional.empty() : Optional.of(ClassUtils.getUserClass(type));
    }

    private int count(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MetadataLookup<Boolean>) method -> hasLock(method, type))
                .size();
    }

    /** Null, as the lookup wants it: no lock. */
    private @Nullable Boolean hasLock(Method method, Class<?> type) {
        try {
            return attributeSource.getLockAttribute(method, type) == null ? null : Boolean.TRUE;
        } catch (LockDefinitionException ex) {
            return Boolean.TRUE;
        }
    }
}
