package dev.baton.lock.annotation;

import dev.baton.lock.LockMode;
import dev.baton.lock.LockTarget;
import dev.baton.lock.interceptor.DeclaredLock;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads scope, key and mode of each lock of a method. The nearest place says which locks there are. A scope, key or mode
 * that an annotation leaves open comes from the next place that gives it. Every error names the method and the attribute.
 *
 * @param levels the annotations by place, the nearest first
 */
record DeclaredLockReader(
        List<LockLevel> levels,
        AnnotatedPlace place,
        @Nullable Class<?> targetClass) {

    /** Returns the locks, at least one, in the order of their annotations. */
    List<DeclaredLock> read() {
        List<Terms> locks = terms(levels.get(0));
        for (LockLevel outer : levels.subList(1, levels.size())) {
            List<Terms> given = terms(outer);
            boolean takesAll = locks.size() == 1 && locks.get(0).isOpen();
            Optional<LockMode> mode = locks.get(0).mode();
            locks = takesAll
                    ? given.stream().map(lock -> lock.in(mode)).toList()
                    : locks.stream().map(lock -> complete(lock, given, outer)).toList();
        }
        checkDefaultScope(locks);
        return locks.stream()
                .map(lock -> new DeclaredLock(
                        LockTarget.of(lock.scope().orElseGet(this::defaultScope)),
                        lock.key().orElse(List.of()),
                        lock.mode().orElse(LockMode.EXCLUSIVE)))
                .toList();
    }

    private static List<Terms> terms(LockLevel level) {
        return level.annotations().stream()
                .map(annotation -> new Terms(
                        Optional.ofNullable(annotation.scope()),
                        Optional.ofNullable(annotation.key()),
                        Optional.ofNullable(annotation.single("mode", LockMode.class))))
                .toList();
    }

    private Terms complete(Terms lock, List<Terms> given, LockLevel outer) {
        return new Terms(
                lock.scope().or(() -> only(given, Terms::scope, "scope", outer)),
                lock.key().or(() -> only(given, Terms::key, "key", outer)),
                lock.mode().or(() -> only(given, Terms::mode, "mode", outer)));
    }

    /** Returns what all locks of a place have in common, or fails if they differ. */
    private <T> Optional<T> only(
            List<Terms> given, Function<Terms, Optional<T>> read, String attribute, LockLevel outer) {
        List<Optional<T>> values = given.stream().map(read).distinct().toList();
        if (values.size() > 1) {
            throw ambiguous(attribute, values, outer);
        }
        return values.get(0);
    }

    private <T> LockDefinitionException ambiguous(String attribute, List<Optional<T>> values, LockLevel outer) {
        String texts = values.stream()
                .map(value -> value.map(given -> "'" + given + "'").orElse("none"))
                .collect(Collectors.joining(" and "));
        return place.error(
                attribute,
                attribute + " is not written, and " + outer.place().annotation() + " has several: " + texts,
                "Write " + attribute + " on the method"
                        + (attribute.equals("key") ? ", as \"'global'\" for a lock without a key" : ""));
    }

    private void checkDefaultScope(List<Terms> locks) {
        long unnamed = locks.stream().filter(lock -> lock.scope().isEmpty()).count();
        if (unnamed > 1) {
            throw levels.get(0)
                    .place()
                    .error(
                            "scope",
                            unnamed + " of its locks have no scope, and the scope of class and method names only one",
                            "Write the scope of each; one lock may go without");
        }
    }

    private String defaultScope() {
        Method annotated = levels.get(0).method();
        return DefaultScope.of(place.method(), annotated == null ? place.method() : annotated, targetClass);
    }

    /** What an annotation says of its lock, as far as it does. */
    private record Terms(Optional<String> scope, Optional<List<String>> key, Optional<LockMode> mode) {

        /** Returns the same in another mode, if one is given. */
        Terms in(Optional<LockMode> other) {
            return new Terms(scope, key, other.or(() -> mode));
        }

        boolean isOpen() {
            return scope.isEmpty() && key.isEmpty();
        }
    }
}
