package dev.baton.lock.aot;

import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.expression.BeanReferences;
import dev.baton.lock.interceptor.fallback.TimeoutMethods;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * Registers what the locks of one class use by reflection. Covers the types in the signature of the method, the class
 * itself, and the beans that expressions name. The types that these return in turn are unknown and not covered.
 */
final class LockedMethodHints {

    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final RuntimeHints hints;
    private final ConfigurableListableBeanFactory beanFactory;
    private final Class<?> type;

    LockedMethodHints(RuntimeHints hints, ConfigurableListableBeanFactory beanFactory, Class<?> type) {
        this.hints = hints;
        this.beanFactory = beanFactory;
        this.type = type;
    }

    void register(Method method, LockAttribute attribute) {
        // also needed for the names of its parameters
        hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
        String handler = attribute.onTimeout();
        if (!handler.isEmpty() && !attribute.isTimeoutExpression()) {
            hints.reflection().registerMethod(new TimeoutMethods(type, method, handler).find(), ExecutableMode.INVOKE);
        }
        boolean evaluated = expressions(attribute).peek(this::registerBeans).count() > 0;
        if (evaluated) {
            registerReadable(type);
            for (int i = 0; i < method.getParameterCount(); i++) {
                registerReadable(ResolvableType.forMethodParameter(method, i, type));
            }
        }
    }

    private static Stream<String> expressions(LockAttribute attribute) {
        String handler = attribute.isTimeoutExpression() ? attribute.onTimeout() : "";
        Stream<String> keys = attribute.locks().stream().flatMap(lock -> lock.key().stream());
        return Stream.concat(keys, Stream.of(attribute.condition(), attribute.owner(), handler))
                .filter(text -> !text.isEmpty());
    }

    private void registerBeans(String expression) {
        if (parser.parseExpression(expression) instanceof SpelExpression parsed) {
            registerBeans(parsed.getAST());
        }
    }

    private void registerBeans(SpelNode node) {
        if (node instanceof BeanReference reference) {
            String name = BeanReferences.name(reference);
            if (beanFactory.containsBean(name)) {
                Class<?> bean = beanFactory.getType(name);
                if (bean != null) {
                    registerReadable(ClassUtils.getUserClass(bean));
                }
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            registerBeans(node.getChild(i));
        }
    }

    /** Registers a type, including the elements of collections and arrays. */
    private void registerReadable(ResolvableType readable) {
        if (readable.isArray()) {
            registerReadable(readable.getComponentType());
            return;
        }
        Class<?> resolved = readable.resolve();
        if (resolved != null) {
            registerReadable(resolved);
            for (ResolvableType generic : readable.getGenerics()) {
                registerReadable(generic);
            }
        }
    }

    /**
     * Registers a type, also for {@code lockKey()}, {@code getId()} and {@code id()}. Leaves out the types of the
     * platform: text, numbers, collections.
     */
    private void registerReadable(Class<?> readable) {
        if (!readable.isPrimitive() && !readable.getName().startsWith("java.")) {
            hints.reflection().registerType(readable, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
