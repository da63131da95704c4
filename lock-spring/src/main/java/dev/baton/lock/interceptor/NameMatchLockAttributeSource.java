package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;
import org.springframework.util.PatternMatchUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Assigns locks to public methods by their names, to protect code that cannot be annotated:
 *
 * <pre>{@code
 * @Bean
 * @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
 * static LockAttributeSource billingLocks() {
 *     return new NameMatchLockAttributeSource(Map.of(
 *             "com.acme.billing.Invoices.close*", LockAttribute.of(LockRequest.of("invoice")).key("#p0")));
 * }
 * }</pre>
 *
 * <p>A pattern is the full name of a class or interface, a dot and the name of a method, with {@code *} for any
 * characters. A method matches by the class of its bean and by every superclass and interface that has the method. If
 * several patterns match, the longest applies. As a bean, the source logs one warning for each pattern that matches no
 * method, once all singletons are created. Thread-safe.
 */
public final class NameMatchLockAttributeSource
        implements LockAttributeSource, SmartInitializingSingleton, BeanFactoryAware {

    private static final Logger log = LoggerFactory.getLogger(NameMatchLockAttributeSource.class);

    private final Map<String, LockAttribute> patterns;
    private final Map<MethodClassKey, Optional<LockAttribute>> attributes = new ConcurrentHashMap<>(64);

    /** The patterns that match a method, even if a longer pattern or the annotation protects that method. */
    private final Set<String> matched = ConcurrentHashMap.newKeySet();

    /** {@code null} if this source is not a bean. */
    private volatile @Nullable ConfigurableListableBeanFactory beanFactory;

    /**
     * Creates the source.
     *
     * @param patterns the locks by pattern; not empty, each pattern with a dot between class and method
     * @throws IllegalArgumentException if there is no pattern, or if a pattern does not name a class and a method; the
     *     message names that pattern
     */
    public NameMatchLockAttributeSource(Map<String, LockAttribute> patterns) {
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException("no pattern; name at least one method, as 'com.acme.Invoices.close*'");
        }
        patterns.keySet().forEach(NameMatchLockAttributeSource::check);
        this.patterns = Map.copyOf(patterns);
    }

    private static void check(String pattern) {
        if (!pattern.matches("[\\w$*.]*[\\w$*]\\.[\\w$*]+")) {
            throw new IllegalArgumentException("pattern '" + pattern
                    + "' names no class and method; write it as 'com.acme.Invoices.close*', without parameters");
        }
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        if (beanFactory instanceof ConfigurableListableBeanFactory listable) {
            this.beanFactory = listable;
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory beans = beanFactory;
        if (beans == null || matched.containsAll(patterns.keySet())) {
            return;
        }
        // methods whose annotation has already answered, and methods of beans not created yet, were not asked for: ask
        // for all of them now
        int found = new LockedMethods(this).count(beans);
        log.debug("{} methods match a pattern", found);
        new TreeMap<>(patterns).forEach((pattern, attribute) -> {
            if (!matched.contains(pattern)) {
                log.warn(
                        "Pattern '{}' matches no public method of a bean, so it locks no method with '{}'. Correct the"
                                + " names of class and method, or remove the pattern. Keep it if its bean is created later,"
                                + " by a class that is not known at startup.",
                        pattern,
                        attribute.scope());
            }
        });
    }

    @Override
    public boolean isCandidateClass(Class<?> targetClass) {
        return !ClassUtils.getUserClass(targetClass).getName().startsWith("java.");
    }

    @Override
    public @Nullable LockAttribute getLockAttribute(Method method, @Nullable Class<?> targetClass) {
        return attributes
                .computeIfAbsent(
                        new MethodClassKey(method, targetClass), key -> Optional.ofNullable(find(method, targetClass)))
                .orElse(null);
    }

    private @Nullable LockAttribute find(Method method, @Nullable Class<?> targetClass) {
        Method executed = AopUtils.getMostSpecificMethod(method, targetClass);
        if (!Modifier.isPublic(executed.getModifiers())
                || Modifier.isStatic(executed.getModifiers())
                || executed.isSynthetic()
                || ReflectionUtils.isObjectMethod(executed)) {
            return null;
        }
        Class<?> type = ClassUtils.getUserClass(targetClass == null ? executed.getDeclaringClass() : targetClass);
        List<String> names = names(type, executed);
        String longest = null;
        for (String pattern : patterns.keySet()) {
            boolean matches = names.stream().anyMatch(name -> PatternMatchUtils.simpleMatch(pattern, name));
            if (matches) {
                matched.add(pattern);
                longest = longest == null || isBefore(pattern, longest) ? pattern : longest;
            }
        }
        return longest == null ? null : patterns.get(longest);
    }

    /**
     * Returns whether a pattern takes precedence: the longer one, or of equal length the first in alphabetical order,
     * so that the choice does not depend on chance.
     */
    private static boolean isBefore(String pattern, String other) {
        return pattern.length() > other.length() || pattern.length() == other.length() && pattern.compareTo(other) < 0;
    }

    private static List<String> names(Class<?> type, Method executed) {
        List<String> names = new ArrayList<>();
        names.add(name(type, executed));
        for (Class<?> at = type.getSuperclass(); at != null && at != Object.class; at = at.getSuperclass()) {
            if (ClassUtils.hasMethod(at, executed.getName(), executed.getParameterTypes())) {
                names.add(name(at, executed));
            }
        }
        Set<Class<?>> interfaces = ClassUtils.getAllInterfacesForClassAsSet(type);
        for (Method declared : InterfaceMethods.implementedBy(executed, type, interfaces)) {
            names.add(name(declared.getDeclaringClass(), executed));
        }
        return names;
    }

    private static String name(Class<?> type, Method method) {
        return type.getName() + "." + method.getName();
    }
}
