package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.util.ClassUtils;

/** Finds the methods that have a lock. Thread-safe. */
public final class LockedMethods {

    private static final Logger logger = LoggerFactory.getLogger(LockedMethods.class);

    private final LockAttributeSource attributeSource;
    private final Map<Class<?>, Map<Method, LockAttribute>> methods = new ConcurrentHashMap<>(64);

    public LockedMethods(LockAttributeSource attributeSource) {
        this.attributeSource = attributeSource;
    }

    /**
     * Returns the methods of a class that have a lock: the methods that a call executes, or for a proxy the methods of
     * its interfaces.
     *
     * @throws LockDefinitionException if one of the locks cannot be used
     */
    public Map<Method, LockAttribute> of(Class<?> type) {
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
     * A method that has a lock.
     *
     * @param type the class of the bean as its author wrote it
     */
    public record Declared(Class<?> type, Method method, LockAttribute attribute) {}

    /**
     * The methods of an application that have a lock.
     *
     * @param methods the methods, once per class
     * @param beans the number of beans that have such a method
     */
    public record Declarations(List<Declared> methods, int beans) {

        public Declarations {
            methods = List.copyOf(methods);
        }
    }

    /**
     * Returns the methods of all beans that have a lock, once per class, and the number of these beans. Considers only
     * classes that are known without creating a bean, and leaves out locks that cannot be used.
     */
    public Declarations declarations(ConfigurableListableBeanFactory beanFactory) {
        List<Declared> found = new ArrayList<>();
        int beans = 0;
        for (Map.Entry<Class<?>, Integer> candidate : candidates(beanFactory).entrySet()) {
            List<Declared> ofClass = declared(candidate.getKey()).toList();
            found.addAll(ofClass);
            beans += ofClass.isEmpty() ? 0 : candidate.getValue();
        }
        return new Declarations(found, beans);
    }

    private Stream<Declared> declared(Class<?> type) {
        Map<Method, LockAttribute> locked = select(type, method -> usable(method, type));
        return locked.entrySet().stream().map(entry -> new Declared(type, entry.getKey(), entry.getValue()));
    }

    private @Nullable LockAttribute usable(Method method, Class<?> type) {
        try {
            return attributeSource.getLockAttribute(method, type);
        } catch (LockDefinitionException ex) {
            return null;
        }
    }

    /**
     * Counts the methods of all beans that have a lock, once per class regardless of the number of its beans. Considers
     * only classes that are known without creating a bean, and also counts locks that cannot be used. Used to report
     * how many methods are unprotected where nothing is locked.
     */
    public int count(ConfigurableListableBeanFactory beanFactory) {
        return candidates(beanFactory).keySet().stream().mapToInt(this::count).sum();
    }

    /**
     * Returns the classes of beans that may have a lock, as far as the classes are known without creating a bean, with
     * the number of beans of each class.
     */
    private Map<Class<?>, Integer> candidates(ConfigurableListableBeanFactory beanFactory) {
        Map<Class<?>, Integer> beans = new LinkedHashMap<>();
        Arrays.stream(beanFactory.getBeanDefinitionNames())
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .filter(name -> !beanFactory.getMergedBeanDefinition(name).isAbstract())
                .flatMap(name -> beanClass(beanFactory, name).stream())
                .filter(attributeSource::isCandidateClass)
                .forEach(type -> beans.merge(type, 1, Integer::sum));
        return beans;
    }

    private static Optional<Class<?>> beanClass(ConfigurableListableBeanFactory beanFactory, String name) {
        Class<?> type = beanFactory.containsSingleton(name)
                ? AutoProxyUtils.determineTargetClass(beanFactory, name)
                : beanFactory.getType(name, false);
        return type == null ? Optional.empty() : Optional.of(ClassUtils.getUserClass(type));
    }

    private int count(Class<?> type) {
        return select(type, method -> hasLock(method, type)).size();
    }

    /** Leaves out a class that refers to missing types, because a warning must not fail the start. */
    private static <T> Map<Method, T> select(Class<?> type, MetadataLookup<T> lookup) {
        try {
            return MethodIntrospector.selectMethods(type, lookup);
        } catch (IllegalStateException | LinkageError ex) {
            logger.debug("The methods of {} cannot be looked at", type.getName(), ex);
            return Map.of();
        }
    }

    /** Returns {@code null}, as the lookup requires, if the method has no lock. */
    private @Nullable Boolean hasLock(Method method, Class<?> type) {
        try {
            return attributeSource.getLockAttribute(method, type) == null ? null : Boolean.TRUE;
        } catch (LockDefinitionException ex) {
            return Boolean.TRUE;
        }
    }
}
