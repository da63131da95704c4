package dev.baton.lock.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The annotations of Baton at one place: a method, a class or an interface. Repeated and composed annotations count.
 *
 * @param annotations the annotations, at least one
 */
record AnnotationGroup(List<MergedAnnotation<?>> annotations) {

    /** Groups the annotations of these types by their places, the nearest place first. */
    static List<AnnotationGroup> of(MergedAnnotations found, List<Class<? extends Annotation>> types) {
        Map<Integer, List<MergedAnnotation<?>>> byPlace = new TreeMap<>();
        types.stream()
                .<MergedAnnotation<?>>flatMap(found::stream)
                .forEach(annotation -> byPlace.computeIfAbsent(
                                annotation.getAggregateIndex(), place -> new ArrayList<>())
                        .add(annotation));
        return byPlace.values().stream().map(AnnotationGroup::new).toList();
    }

    int size() {
        return annotations.size();
    }

    boolean has(Class<? extends Annotation> type) {
        return annotations.stream().anyMatch(annotation -> annotation.getType() == type);
    }

    /** Returns the class or interface that carries the annotations, or whose method does. */
    Class<?> type() {
        Object source = annotations.get(0).getSource();
        return source instanceof Method method
                ? method.getDeclaringClass()
                : (Class<?>) Objects.requireNonNull(source, "an annotation that was found on nothing");
    }

    /** Returns whether another place has the same annotations, in whatever order. */
    boolean isSameAs(AnnotationGroup other) {
        return size() == other.size() && synthesized().equals(other.synthesized());
    }

    private Set<Annotation> synthesized() {
        Stream<Annotation> found = annotations.stream().map(MergedAnnotation::synthesize);
        return found.collect(Collectors.toSet());
    }
}
