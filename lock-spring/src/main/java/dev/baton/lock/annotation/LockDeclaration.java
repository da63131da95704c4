package dev.baton.lock.annotation;

import dev.baton.lock.interceptor.InterfaceMethods;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the annotations that together declare the lock of a method. */
final class LockDeclaration {

    private final AnnotatedPlace place;
    private final Method executed;

    /** The class of the bean, or the class that declares the method if that of the bean is unknown. */
    private final Class<?> type;

    LockDeclaration(AnnotatedPlace place, @Nullable Class<?> targetClass) {
        this.place = place;
        this.executed = place.method();
        this.type = targetClass == null ? executed.getDeclaringClass() : targetClass;
    }

    /**
     * Returns the annotations of the method, of the class, and the defaults of the class, in this order. Empty if the
     * method has no lock.
     */
    List<MergedAnnotation<?>> annotations() {
        MergedAnnotation<?> own = ofMethod(executed);
        if (own == null) {
            own = onInterfaceOfSubclass();
        }
        if (own != null && own.getType() == NoDistributedLock.class) {
            return List.of();
        }
        if (own == null && !isCovered()) {
            return List.of();
        }
        MergedAnnotation<?> ofClass = ofClass(DistributedLock.class);
        if (own == null && ofClass == null) {
            return List.of();
        }
        List<MergedAnnotation<?>> found = new ArrayList<>(3);
        add(found, own);
        add(found, ofClass);
        add(found, ofClass(LockDefaults.class));
        return found;
    }

    private static void add(List<MergedAnnotation<?>> found, @Nullable MergedAnnotation<?> annotation) {
        if (annotation != null) {
            found.add(annotation);
        }
    }

    /** Returns whether a lock of the class applies to the method. */
    private boolean isCovered() {
        int modifiers = executed.getModifiers();
        return Modifier.isPublic(modifiers)
                && !Modifier.isStatic(modifiers)
                && !executed.isSynthetic()
                && !ReflectionUtils.isObjectMethod(executed);
    }

    private @Nullable MergedAnnotation<?> ofMethod(Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        List<MergedAnnotation<?>> found = Stream.<Class<? extends Annotation>>of(
                        DistributedLock.class, NoDistributedLock.class)
                .<MergedAnnotation<?>>flatMap(annotations::stream)
                .sorted(Comparator.comparingInt(MergedAnnotation::getAggregateIndex))
                .toList();
        MergedAnnotation<?> nearest = nearestOf(found, "Annotate the method of the class");
        if (nearest == null) {
            return null;
        }
        List<MergedAnnotation<?>> together = found.stream()
                .filter(other -> other.getAggregateIndex() == nearest.getAggregateIndex())
                .toList();
        checkOneLock(together.stream().filter(LockDeclaration::isLock).count(), DistributedLock.class, "method");
        if (together.stream().map(MergedAnnotation::getType).distinct().count() > 1) {
            throw place.error(null, "the method has both @DistributedLock and @NoDistributedLock", "Keep one of them");
        }
        return nearest;
    }

    private static boolean isLock(MergedAnnotation<?> annotation) {
        return annotation.getType() == DistributedLock.class;
    }

    /**
     * Returns the first annotation, or one on an interface that extends the interface of the first. Among unrelated
     * interfaces, none is nearer. Returns {@code null} if there are no annotations.
     */
    private @Nullable MergedAnnotation<?> nearestOf(List<MergedAnnotation<?>> found, String remedy) {
        if (found.isEmpty() || !type(found.get(0)).isInterface()) {
            return found.isEmpty() ? null : found.get(0);
        }
        List<MergedAnnotation<?>> near = found.stream()
                .filter(one -> found.stream().noneMatch(other -> isProperSubtype(type(other), type(one))))
                .toList();
        MergedAnnotation<?> first = near.get(0);
        for (MergedAnnotation<?> other : near) {
            boolean unrelated = type(other) != type(first)
                    && type(other).isInterface()
                    && type(first).isInterface();
            if (unrelated && !other.synthesize().equals(first.synthesize())) {
                throw place.error(
                        null,
                        "the interfaces " + type(first).getName() + " and "
                                + type(other).getName()
                                + " declare different locks for it, and only one of them would be used",
                        remedy + ", which takes precedence over both");
            }
        }
        return first;
    }

    private static boolean isProperSubtype(Class<?> sub, Class<?> type) {
        return sub != type && type.isAssignableFrom(sub);
    }

    private static Class<?> type(MergedAnnotation<?> annotation) {
        Object source = annotation.getSource();
        return source instanceof Method method
                ? method.getDeclaringClass()
                : (Class<?>) Objects.requireNonNull(source, "an annotation that was found on nothing");
    }

    /** Considers that an inherited method may implement an interface that only the subclass declares. */
    private @Nullable MergedAnnotation<?> onInterfaceOfSubclass() {
        Class<?> declaring = executed.getDeclaringClass();
        if (declaring == type || !declaring.isAssignableFrom(type)) {
            return null;
        }
        Set<Class<?>> interfaces = ClassUtils.getAllInterfacesForClassAsSet(type);
        List<MergedAnnotation<?>> found = new ArrayList<>();
        InterfaceMethods.implementedBy(executed, type, interfaces).forEach(method -> add(found, ofMethod(method)));
        return nearestOf(found, "Annotate a method of the class");
    }

    /**
     * Returns the annotation of the bean's class or its superclasses, else that of an interface that has the method.
     */
    private @Nullable MergedAnnotation<?> ofClass(Class<? extends Annotation> annotation) {
        MergedAnnotation<?> found = of(ClassUtils.getUserClass(type), annotation);
        if (found != null) {
            return found;
        }
        List<MergedAnnotation<?>> onInterfaces = new ArrayList<>();
        for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
            found = of(implemented, annotation);
            if (found != null
                    && !InterfaceMethods.implementedBy(executed, type, List.of(implemented))
                            .isEmpty()) {
                onInterfaces.add(found);
            }
        }
        return nearestOf(onInterfaces, "Annotate the class");
    }

    private @Nullable MergedAnnotation<?> of(AnnotatedElement element, Class<? extends Annotation> annotation) {
        return nearest(MergedAnnotations.from(element, SearchStrategy.SUPERCLASS), annotation);
    }

    private @Nullable MergedAnnotation<?> nearest(
            MergedAnnotations annotations, Class<? extends Annotation> annotation) {
        List<? extends MergedAnnotation<?>> found =
                annotations.stream(annotation).toList();
        if (found.isEmpty()) {
            return null;
        }
        MergedAnnotation<?> nearest = found.get(0);
        long together = found.stream()
                .filter(other -> other.getAggregateIndex() == nearest.getAggregateIndex())
                .count();
        checkOneLock(together, annotation, "class");
        return nearest;
    }

    private void checkOneLock(long together, Class<? extends Annotation> annotation, String what) {
        if (together > 1) {
            throw place.error(
                    null,
                    "the " + what + " has " + together
                            + (annotation == LockDefaults.class ? " @LockDefaults" : " locks")
                            + " (composed annotations count), and only one of them would be used",
                    "Keep one, and acquire the others in methods of other beans or with LockTemplate");
        }
    }
}
