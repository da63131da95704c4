package dev.baton.lock.annotation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringValueResolver;

/**
 * The annotations at one place, such as a method or a class. They are one request, so each attribute other than scope,
 * key and mode has one value.
 *
 * @param annotations the annotations, at least one
 */
record LockLevel(List<LockAnnotation> annotations) {

    /** @param method the method that has the locks */
    static LockLevel of(AnnotationGroup group, AnnotatedPlace method, StringValueResolver placeholders) {
        return new LockLevel(group.annotations().stream()
                .map(annotation -> new LockAnnotation(annotation, method, placeholders))
                .toList());
    }

    AnnotatedPlace place() {
        return annotations.get(0).place();
    }

    /** Returns the method that carries the annotations, or {@code null} if a class does. */
    @Nullable
    Method method() {
        return annotations.get(0).method();
    }

    /**
     * Returns the value that one or several of the annotations give, or {@code null} if none does.
     *
     * @param attributes the attribute, or both if two attributes give the same value
     */
    <T> @Nullable T value(Function<LockAnnotation, @Nullable T> read, List<String> attributes) {
        T value = null;
        LockAnnotation giver = null;
        for (LockAnnotation annotation : annotations) {
            T own = read.apply(annotation);
            if (giver != null && value != null && own != null && !own.equals(value)) {
                String first = giver.given(attributes);
                throw place().error(
                                first,
                                giver.written(first) + " and " + annotation.written(annotation.given(attributes))
                                        + " are both given, and the locks of one place are one request",
                                "Write it on one of the annotations, or the same value on each");
            }
            if (value == null && own != null) {
                value = own;
                giver = annotation;
            }
        }
        return value;
    }
}
