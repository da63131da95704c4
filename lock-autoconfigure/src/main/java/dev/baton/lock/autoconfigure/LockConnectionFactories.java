package dev.baton.lock.autoconfigure;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Finds the connection factory of the Redis that keeps the locks. */
final class LockConnectionFactories {

    private static final String PROPERTY = "baton.connection-factory";

    private LockConnectionFactories() {}

    /**
     * Returns the factory of the given name or, if the name is {@code null}, the single or primary factory.
     *
     * @throws LockConnectionFactoryException if there is no such factory, or more than one to choose from
     */
    static RedisConnectionFactory select(ListableBeanFactory beans, @Nullable String name) {
        return name == null ? single(beans) : named(beans, name);
    }

    private static RedisConnectionFactory named(ListableBeanFactory beans, String name) {
        if (beans.containsBean(name) && beans.isTypeMatch(name, RedisConnectionFactory.class)) {
            return beans.getBean(name, RedisConnectionFactory.class);
        }
        Collection<String> names = names(beans);
        if (names.isEmpty()) {
            throw missing();
        }
        throw new LockConnectionFactoryException(
                PROPERTY + " names '" + name + "', and no bean of type RedisConnectionFactory has that name.",
                "Set " + PROPERTY + " to the name of an existing one: " + list(names) + ".");
    }

    private static RedisConnectionFactory single(ListableBeanFactory beans) {
        try {
            RedisConnectionFactory factory =
                    beans.getBeanProvider(RedisConnectionFactory.class).getIfAvailable();
            if (factory == null) {
                throw missing();
            }
            return factory;
        } catch (NoUniqueBeanDefinitionException ex) {
            throw ambiguous(names(beans));
        }
    }

    private static LockConnectionFactoryException missing() {
        return new LockConnectionFactoryException(
                "Locks are kept in Redis, and there is no bean of type RedisConnectionFactory.",
                "Add spring-boot-starter-data-redis with the Lettuce driver (baton-spring-boot-starter brings both) and"
                        + " leave Boot's Redis auto-configuration on, or define a RedisConnectionFactory bean. To run"
                        + " without locks, set baton.enabled=false.");
    }

    /** Returns the exception for a selected factory of a kind that the store rejected. */
    static LockConnectionFactoryException unsupported(IllegalArgumentException refusal) {
        LockConnectionFactoryException exception = new LockConnectionFactoryException(
                "The RedisConnectionFactory cannot be used: " + refusal.getMessage() + ".",
                "Change it, or set " + PROPERTY + " to the name of a RedisConnectionFactory bean that can be used.");
        exception.initCause(refusal);
        return exception;
    }

    private static LockConnectionFactoryException ambiguous(Collection<String> names) {
        return new LockConnectionFactoryException(
                "There are " + names.size() + " beans of type RedisConnectionFactory, none of them primary: "
                        + list(names) + ".",
                "Set " + PROPERTY + " to the name of the one whose Redis keeps the locks, or mark one as @Primary.");
    }

    private static Collection<String> names(ListableBeanFactory beans) {
        return Arrays.asList(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedisConnectionFactory.class, true, false));
    }

    private static String list(Collection<String> names) {
        return names.stream().sorted().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }
}
