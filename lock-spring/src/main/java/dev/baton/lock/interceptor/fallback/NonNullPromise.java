package dev.baton.lock.interceptor.fallback;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;

/**
 * Detects where a method promises that its result is never {@code null}: in the annotations of JSpecify, in a
 * {@code @NonNull} of another library, or in its Kotlin type. Recognizes annotations by name, whether or not their
 * classes are visible to Baton. A method without such a declaration promises nothing.
 */
final class NonNullPromise {

    private static final String MARKED = "org.jspecify.annotations.NullMarked";
    private static final String UNMARKED = "org.jspecify.annotations.NullUnmarked";

    private NonNullPromise() {}

    /** Returns the declaration that makes the promise; empty if there is none. */
    static Optional<String> of(Method method) {
        AnnotatedType returned = method.getAnnotatedReturnType();
        if (isNullable(returned) || isNullable(method)) {
            return Optional.empty();
        }
        Optional<String> explicit = Stream.of(returned, method)
                .flatMap(element -> Arrays.stream(element.getAnnotations()))
                .map(annotation -> annotation.annotationType().getSimpleName())
                .filter("NonNull"::equalsIgnoreCase)
                .findFirst();
        if (explicit.isPresent()) {
            return explicit.map(name -> "@" + name);
        }
        if (KotlinDetector.isKotlinReflectPresent() && KotlinDetector.isKotlinType(method.getDeclaringClass())) {
            return inKotlin(method);
        }
        if (returned instanceof AnnotatedTypeVariable variable
                && Arrays.stream(variable.getAnnotatedBounds()).anyMatch(NonNullPromise::isNullable)) {
            return Optional.empty();
        }
        return scope(method);
    }

    /** A generic function promises nothing, because its caller chooses the type, with or without '?'. */
    private static Optional<String> inKotlin(Method method) {
        boolean chosen = method.getGenericReturnType() instanceof TypeVariable<?>;
        return chosen || new MethodParameter(method, -1).isOptional()
                ? Optional.empty()
                : Optional.of("its type in Kotlin has no '?'");
    }

    /**
     * Uses the nearest mark: on the method, on its classes from the inside out, on their package or on their module.
     */
    private static Optional<String> scope(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        if (is(method, MARKED) || is(method, UNMARKED)) {
            return marked(method, declaring.getName() + "." + method.getName() + "(..)");
        }
        for (Class<?> at = declaring; at != null; at = at.getEnclosingClass()) {
            if (is(at, MARKED) || is(at, UNMARKED)) {
                return marked(at, at.getName());
            }
        }
        Package around = declaring.getPackage();
        if (around != null && (is(around, MARKED) || is(around, UNMARKED))) {
            return marked(around, around.getName());
        }
        return marked(declaring.getModule(), "module " + declaring.getModule().getName());
    }

    private static Optional<String> marked(AnnotatedElement element, String name) {
        return is(element, MARKED) ? Optional.of("@NullMarked on " + name) : Optional.empty();
    }

    private static boolean is(AnnotatedElement element, String annotation) {
        return any(element, type -> type.getName().equals(annotation));
    }

    private static boolean isNullable(AnnotatedElement element) {
        return any(element, type -> type.getSimpleName().equals("Nullable"));
    }

    private static boolean any(AnnotatedElement element, Predicate<Class<? extends Annotation>> which) {
        return Arrays.stream(element.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(which);
    }
}
