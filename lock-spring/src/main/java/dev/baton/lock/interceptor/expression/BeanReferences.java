package dev.baton.lock.interceptor.expression;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;

/** Finds the beans that an expression names. */
public final class BeanReferences {

    private BeanReferences() {}

    /** Returns the name for the lookup of a bean, with {@code &} in front for a factory itself. */
    public static String name(BeanReference reference) {
        String text = reference.toStringAST();
        String name = text.startsWith("@") ? text.substring(1) : text;
        return name.startsWith("'") ? name.substring(1, name.length() - 1) : name;
    }

    /**
     * Finds a bean that an expression names and that neither the factory nor its parents have. Empty if there is none.
     */
    public static Optional<String> missing(SpelNode node, BeanFactory beanFactory) {
        if (node instanceof BeanReference reference) {
            String name = name(reference);
            if (!beanFactory.containsBean(name)) {
                return Optional.of(name);
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            Optional<String> missing = missing(node.getChild(i), beanFactory);
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    /** Returns the names and aliases of all beans of a factory and its parents. Creates no bean. */
    public static Set<String> names(BeanFactory beanFactory) {
        Set<String> names = new TreeSet<>();
        if (beanFactory instanceof ListableBeanFactory listable) {
            Collections.addAll(names, listable.getBeanDefinitionNames());
        }
        if (beanFactory instanceof SingletonBeanRegistry registry) {
            Collections.addAll(names, registry.getSingletonNames());
        }
        for (String name : List.copyOf(names)) {
            Collections.addAll(names, beanFactory.getAliases(name));
        }
        BeanFactory parent = beanFactory instanceof HierarchicalBeanFactory child ? child.getParentBeanFactory() : null;
        if (parent != null) {
            names.addAll(names(parent));
        }
        return names;
    }
}
