package dev.baton.lock.annotation;

import dev.baton.lock.LockRequest;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * The place of an annotation, for messages.
 *
 * @param beanClass the class of the bean as its author wrote it
 * @param method the method that a call executes
 * @param annotation the annotation and its class; empty if the annotation is on the method
 */
record AnnotatedPlace(Class<?> beanClass, Method method, String annotation) {

    static AnnotatedPlace of(Method method, @Nullable Class<?> targetClass) {
        return new AnnotatedPlace(
                ClassUtils.getUserClass(targetClass == null ? method.getDeclaringClass() : targetClass), method, "");
    }

    /** Returns the place of the same method with an annotation elsewhere that declares its lock. */
    AnnotatedPlace at(String elsewhere) {
        return new AnnotatedPlace(beanClass, method, elsewhere);
    }

    LockDefinitionException error(@Nullable String attribute, String problem, String action) {
        return error(attribute, problem, action, null);
    }

    LockDefinitionException error(
            @Nullable String attribute, String problem, String action, @Nullable Exception cause) {
        String where = annotation.isEmpty() ? "" : " (in " + annotation + ")";
        return new LockDefinitionException(beanClass, method, attribute, problem + where, action, cause);
    }

    /** Returns the request that the attribute changes, or fails with an error that names the attribute. */
    LockRequest checked(String attribute, Supplier<LockRequest> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException ex) {
            String message = String.valueOf(ex.getMessage());
            int remedy = message.indexOf("; ");
            throw remedy < 0
                    ? error(attribute, message, "Change it", ex)
                    : error(
                            attribute,
                            message.substring(0, remedy),
                            StringUtils.capitalize(message.substring(remedy + 2)),
                            ex);
        }
    }

    /** Replaces the placeholders in the text of an attribute. */
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

    /** Names the original text of a rejected value, if the two differ. */
    static String origin(String text, String resolved) {
        return text.equals(resolved) ? "" : " (from '" + text + "')";
    }
}
