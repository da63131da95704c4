package dev.baton.lock.interceptor.expression;

import java.util.Arrays;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
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

    /** Finds a bean whose name differs only in upper and lower case. Empty if there is none. */
    public static Optional<String> similar(String name, BeanFactory beanFactory) {
        return beanFactory instanceof ListableBeanFactory listable
                ? Arrays.stream(listable.getBeanDefinitionNames())
                        .filter(name::equalsIgnoreCase)
                        .findFirst()
                : Optional.empty();
    }
}
