package dev.baton.lock.interceptor.validation;

import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.interceptor.expression.BeanReferences;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Finds expressions that no call could evaluate. Thread-safe. */
final class LockExpressionValidator {

    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final ParameterNameDiscoverer parameterNames;
    private final Supplier<? extends @Nullable BeanFactory> beanFactory;

    /**
     * Creates the validator.
     *
     * @param beanFactory supplies the bean factory in which expressions find {@code @bean}, or {@code null} if it is
     *     unknown; beans are then not looked up
     */
    LockExpressionValidator(
            ParameterNameDiscoverer parameterNames, Supplier<? extends @Nullable BeanFactory> beanFactory) {
        this.parameterNames = parameterNames;
        this.beanFactory = beanFactory;
    }

    void validate(Class<?> type, Method method, LockAttribute attribute) {
        Place key = new Place(type, method, "key", names(method));
        attribute.locks().forEach(lock -> lock.key().forEach(text -> validateKey(key, text)));
        if (!attribute.condition().isEmpty()) {
            validate(key.of("condition"), attribute.condition());
        }
        if (!attribute.owner().isEmpty()) {
            validate(key.of("owner"), attribute.owner());
        }
        if (attribute.isTimeoutExpression()) {
            validateTimeout(key.of("onTimeout"), attribute.onTimeout());
        }
    }

    private @Nullable List<String> names(Method method) {
        @Nullable String @Nullable [] names = parameterNames.getParameterNames(method);
        return names == null ? null : Arrays.stream(names).map(String::valueOf).toList();
    }

    private void validate(Place place, String text) {
        checkBeans(place, text, check(place, text));
    }

    private void validateKey(Place place, String text) {
        if (text.isBlank()) {
            throw place.error(
                    "a part of the key is blank",
                    "Write an expression such as \"#id\" or \"'daily'\", or leave the key out for a single lock");
        }
        SpelNode root = check(place, text);
        if (root instanceof InlineMap) {
            throw place.error(
                    "'" + text + "' is a map, and it is not clear whether its keys or its values are meant",
                    "Write a list as \"{#from, #to}\" for one lock per element, or key = {\"#a\", \"#b\"} for one lock whose key"
                            + " has parts");
        }
        if (root instanceof InlineList && root.getChildCount() == 0) {
            throw place.error(
                    "'" + text + "' is an empty list, which names no lock",
                    "Leave the key out for a single lock, or list what is to be locked");
        }
        checkBeans(place, text, root);
    }

    private void validateTimeout(Place place, String text) {
        SpelNode root = check(place, text);
        boolean call = root instanceof CompoundExpression
                && root.getChild(0) instanceof BeanReference
                && root.getChild(root.getChildCount() - 1) instanceof MethodReference;
        if (!call) {
            throw place.error(
                    "'" + text + "' calls no method of a bean",
                    "Write \"@bean.method(#id)\", or the name of a method of the same class");
        }
        checkBeans(place, text, root);
    }

    private void checkBeans(Place place, String text, SpelNode root) {
        BeanFactory beans = beanFactory.get();
        if (beans == null) {
            return;
        }
        BeanReferences.missing(root, beans).ifPresent(name -> {
            throw place.error(
                    "'" + text + "' uses the bean '" + name + "', which does not exist",
                    SimilarNames.suggest(similarBeans(name, beans))
                            + "Write the name of an existing bean, or declare the missing one");
        });
    }

    /** Returns references to the beans whose names are near. A reference to a factory itself begins with {@code &}. */
    private static List<String> similarBeans(String name, BeanFactory beans) {
        String prefix = name.startsWith("&") ? "&" : "@";
        return SimilarNames.of(name.startsWith("&") ? name.substring(1) : name, BeanReferences.names(beans)).stream()
                .map(similar -> prefix + (similar.matches("\\w+") ? similar : "'" + similar + "'"))
                .toList();
    }

    private SpelNode check(Place place, String text) {
        SpelNode root = parse(place, text).getAST();
        new LockReferences(place.type(), place.method(), place.attribute(), place.names()).check(text, root);
        new MemberReferences(place.type(), place.method(), place.attribute(), place.names()).check(text, root);
        return root;
    }

    private SpelExpression parse(Place place, String text) {
        try {
            Expression expression = parser.parseExpression(text);
            return (SpelExpression) expression;
        } catch (ParseException | IllegalStateException | IllegalArgumentException ex) {
            throw new LockDefinitionException(
                    place.type(),
                    place.method(),
                    place.attribute(),
                    "'" + text + "' is not a SpEL expression (" + ex.getMessage() + ")",
                    "Write a parameter as \"#id\", a property of it as \"#order.id\", a text in its own quotes as \"'daily'\"",
                    ex);
        }
    }

    /**
     * The place of an expression.
     *
     * @param names the names of the parameters, or {@code null} if they were not compiled in
     */
    private record Place(
            Class<?> type,
            Method method,
            String attribute,
            @Nullable List<String> names) {

        Place of(String other) {
            return new Place(type, method, other, names);
        }

        LockDefinitionException error(String problem, String action) {
            return new LockDefinitionException(type, method, attribute, problem, action);
        }
    }
}
