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

/** Finds the annotations that say together what the lock of a method is. */
final class LockDeclaration {

    private final AnnotatedPlace place;
    private final Method executed;

    /** The class of the bean, or that of the method where the bean's is not known. */
    private final Class<?> type;

    LockDeclaration(AnnotatedPlace place, @Nullable Class<?> targetClass) {
        this.place = place;
        this.executed = place.method();
        this.type = targetClass == null ? executed.getDeclaringClass() : targetClass;
    }

    /** The nearest first: of the method, of the class, the defaults of the class. Empty: the method has no lock. */
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

    /** Whether a lock of the class is meant for the method. */
    private boolean isCovered() {
        int modifiers = executed.getModifiers();
        return Modifier.isPublic(modifiers)
                && !Modifier.isStatic(modifiers)
                && !executed.isSynthetic()
                && !ReflectionUtils.isObjectMethod(executed);
    }

    private @Nullable MergedAnnotation<?> ofMethod(Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        only(Stream.<Class<? extends Annotation>>of(DistributedLock.class, NoDistributedLock.class)
                .<MergedAnnotation<?>>flatMap(annotations::stream)
                .sorted(Comparator.comparingInt(MergedAnnotation::getAggregateIndex))
                .toList());
        MergedAnnotation<?> lock = nearest(annotations, DistributedLock.class, "method");
        MergedAnnotation<?> none = annotations.get(NoDistributedLock.class);
        if (lock == null || !none.isPresent()) {
            return none.isPresent() ? none : lock;
        }
        if (none.getAggregateIndex() == lock.getAggregateIndex()) {
            throw place.error(null, "the method has both @DistributedLock and @NoDistributedLock", "Keep one of them");
        }
        return none.getAggregateIndex() < lock.getAggregateIndex() ? none : lock;
    }

    /** Of interfaces that know nothing of each other none is nearer. Empty: null. */
    private @Nullable MergedAnnotation<?> only(List<MergedAnnotation<?>> found) {
        if (found.isEmpty()) {
            return null;
        }
        MergedAnnotation<?> first = found.get(0);
        Class<?> there = type(first);
        for (MergedAnnotation<?> other : found) {
            Class<?> elsewhere = type(other);
            if (there.isInterface()
                    && elsewhere.isInterface()
                    && !elsewhere.isAssignableFrom(there)
                    && !other.synthesize().equals(first.synthesize())) {
                throw place.error(
                        null,
                        "the interfaces " + there.getName() + " and " + elsewhere.getName()
                                + " say different things of its lock, of which one would be taken",
                        "Say it at the method of the class, which comes before both");
            }
        }
        return first;
    }

    private static Class<?> type(MergedAnnotation<?> annotation) {
        Object source = annotation.getSource();
        return source instanceof Method method
                ? method.getDeclaringClass()
                : (Class<?>) Objects.requireNonNull(source, "an annotation that was found on nothing");
    }

    /** An inherited method may implement an interface that only the subclass names. */
    private @Nullable MergedAnnotation<?> onInterfaceOfSubclass() {
        Class<?> declaring = executed.getDeclaringClass();
        if (declaring == type || !declaring.isAssignableFrom(type)) {
            return null;
        }
        Set<Class<?>> interfaces = ClassUtils.getAllInterfacesForClassAsSet(type);
        return only(InterfaceMethods.implementedBy(executed, type, interfaces).stream()
                .<@Nullable MergedAnnotation<?>>map(this::ofMethod)
                .filter(Objects::nonNull)
                .toList());
    }

    /** Of the bean's class or its superclasses, else of an interface that has the method. */
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
        return only(onInterfaces);
    }

    private @Nullable MergedAnnotation<?> of(AnnotatedElement element, Class<? extends Annotation> annotation) {
        return nearest(MergedAnnotations.from(element, SearchStrategy.SUPERCLASS), annotation, "class");
    }

    private @Nullable MergedAnnotation<?> nearest(
            MergedAnnotations annotations, Class<? extends Annotation> annotation, String what) {
        List<? extends MergedAnnotation<?>> found =
                annotations.stream(annotation).toList();
        if (found.isEmpty()) {
            return null;
        }
        MergedAnnotation<?> nearest = found.get(0);
        long together = found.stream()
                .filter(other -> other.getAggregateIndex() == nearest.getAggregateIndex())
                .count();
        if (together > 1) {
            throw place.error(
                    null,
                    "the " + what + " has " + together
                            + (annotation == LockDefaults.class ? " @LockDefaults" : " locks")
                            + " (annotations of your own count), of which one would be taken",
                    "Keep one, and take the others in methods of other beans or with LockTemplate");
        }
        return nearest;
    }
}
