package dev.baton.lock.annotation;

import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * Where an annotation stands, for the messages.
 *
 * @param beanClass the class of the bean as its author wrote it
 * @param method what a call executes
 */
record AnnotatedPlace(Class<?> beanClass, Method method) {

    static AnnotatedPlace of(Method method, @Nullable Class<?> targetClass) {
        return new AnnotatedPlace(
                ClassUtils.getUserClass(targetClass == null ? method.getDeclaringClass() : targetClass), method);
    }

    LockDefinitionException error(@Nullable String attribute, String problem, String action) {
        return error(attribute, problem, action, null);
    }

    LockDefinitionException error(
            @Nullable String attribute, String problem, String action, @Nullable Exception cause) {
        return new LockDefinitionException(beanClass, method, attribute, problem, action, cause);
    }

    /** Replaces the placeholders of an attribute's text. */
    String resolve(String attribute, String text, StringValueResolver placeholders) {
        try {
            String resolved = placeholders.resolveStringValue(text);
            if (resolved != null && !resolved.contains("${")) {
                return resolved;
            }
        } catch (RuntimeException ex) {
            throw unresolved(attribute, text, ex);
        }
        throw unresolved(attribute, text, null);
    }

    private LockDefinitionException unresolved(String attribute, String text, @Nullable RuntimeException cause) {
        return error(
                attribute,
                "'" + text + "' cannot be resolved" + (cause == null ? "" : " (" + cause.getMessage() + ")"),
                "Define the property, or give the placeholder a default as in ${name:default}",
                cause);
    }

    /** Names the text that a refused value came from, if it is another. */
    static String origin(String text, String resolved) {
        return text.equals(resolved) ? "" : " (from '" + text + "')";
    }
}
