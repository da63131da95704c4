package dev.baton.lock.annotation;

import dev.baton.lock.interceptor.InterfaceMethods;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the annotations that together declare the locks of a method. */
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
    List<AnnotationGroup> annotations() {
        AnnotationGroup own = ofMethod(executed);
        if (own == null) {
            own = onInterfaceOfSubclass();
        }
        if (own != null && own.has(NoDistributedLock.class)) {
            return List.of();
        }
        if (own == null && !isCovered()) {
            return List.of();
        }
        AnnotationGroup ofClass = ofClass(DistributedLock.class);
        if (own == null && ofClass == null) {
            return List.of();
        }
        return Stream.of(own, ofClass, ofClass(LockDefaults.class))
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Returns whether a lock of the class applies to the method. */
    private boolean isCovered() {
        int modifiers = executed.getModifiers();
        return Modifier.isPublic(modifiers)
                && !Modifier.isStatic(modifiers)
                && !executed.isSynthetic()
                && !ReflectionUtils.isObjectMethod(executed);
    }

    private @Nullable AnnotationGroup ofMethod(Method method) {
        checkContainer(method);
        MergedAnnotations found = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        AnnotationGroup nearest = nearestOf(
                AnnotationGroup.of(found, List.of(DistributedLock.class, NoDistributedLock.class)),
                "Annotate the method of the class");
        if (nearest != null && nearest.has(DistributedLock.class) && nearest.has(NoDistributedLock.class)) {
            throw place.error(null, "the method has both @DistributedLock and @NoDistributedLock", "Keep one of them");
        }
        return nearest;
    }

    /** Refuses a container without a lock, which an annotation search does not show. */
    private void checkContainer(AnnotatedElement element) {
        DistributedLocks container = element.getDeclaredAnnotation(DistributedLocks.class);
        if (container != null && container.value().length == 0) {
            throw place.error(
                    null,
                    "@DistributedLocks" + (element instanceof Class<?> type ? " of " + type.getName() : "")
                            + " is empty, so it declares no lock",
                    "Write at least one @DistributedLock in it, or remove it");
        }
    }

    /**
     * Returns the first annotations, or those on an interface that extends the interface of the first. Among unrelated
     * interfaces, none is nearer. Returns {@code null} if there are no annotations.
     */
    private @Nullable AnnotationGroup nearestOf(List<AnnotationGroup> found, String remedy) {
        if (found.isEmpty() || !found.get(0).type().isInterface()) {
            return found.isEmpty() ? null : found.get(0);
        }
        List<AnnotationGroup> near = found.stream()
                .filter(one -> found.stream().noneMatch(other -> isProperSubtype(other.type(), one.type())))
                .toList();
        AnnotationGroup first = near.get(0);
        for (AnnotationGroup other : near) {
            boolean unrelated = other.type() != first.type()
                    && other.type().isInterface()
                    && first.type().isInterface();
            if (unrelated && !other.isSameAs(first)) {
                throw place.error(
                        null,
                        "the interfaces " + first.type().getName() + " and "
                                + other.type().getName()
                                + " declare different locks for it, and only one of them would be used",
                        remedy + ", which takes precedence over both");
            }
        }
        return first;
    }

    private static boolean isProperSubtype(Class<?> sub, Class<?> type) {
        return sub != type && type.isAssignableFrom(sub);
    }

    /** Considers that an inherited method may implement an interface that only the subclass declares. */
    private @Nullable AnnotationGroup onInterfaceOfSubclass() {
        Class<?> declaring = executed.getDeclaringClass();
        if (declaring == type || !declaring.isAssignableFrom(type)) {
            return null;
        }
        Set<Class<?>> interfaces = ClassUtils.getAllInterfacesForClassAsSet(type);
        List<AnnotationGroup> found = InterfaceMethods.implementedBy(executed, type, interfaces).stream()
                .flatMap(method -> Stream.ofNullable(ofMethod(method)))
                .toList();
        return nearestOf(found, "Annotate a method of the class");
    }

    /**
     * Returns the annotations of the bean's class or its superclasses, else those of an interface that has the method.
     */
    private @Nullable AnnotationGroup ofClass(Class<? extends Annotation> annotation) {
        AnnotationGroup found = of(ClassUtils.getUserClass(type), annotation);
        if (found != null) {
            return found;
        }
        List<AnnotationGroup> onInterfaces = new ArrayList<>();
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

    private @Nullable AnnotationGroup of(Class<?> element, Class<? extends Annotation> annotation) {
        checkContainer(element);
        List<AnnotationGroup> found =
                AnnotationGroup.of(MergedAnnotations.from(element, SearchStrategy.SUPERCLASS), List.of(annotation));
        if (found.isEmpty()) {
            return null;
        }
        AnnotationGroup nearest = found.get(0);
        if (annotation == LockDefaults.class && nearest.size() > 1) {
            throw place.error(
                    null,
                    "the class has " + nearest.size()
                            + " @LockDefaults (composed annotations count), and only one of them would be used",
                    "Keep one of them");
        }
        return nearest;
    }
}
