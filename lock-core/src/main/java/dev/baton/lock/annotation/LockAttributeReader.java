package dev.baton.lock.annotation;

import dev.baton.lock.LockNames;
import dev.baton.lock.interceptor.LockAttribute;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/** Turns the annotation of one method into a lock attribute; every error names the method and the attribute. */
final class LockAttributeReader {

    private final StringValueResolver placeholders;

    LockAttributeReader(StringValueResolver placeholders) {
        this.placeholders = placeholders;
    }

    /** Null: the method has no annotation. */
    @Nullable
    LockAttribute read(Method method, @Nullable Class<?> targetClass) {
        AnnotatedPlace place = AnnotatedPlace.of(method, targetClass);
        try {
            MergedAnnotation<DistributedLock> found = nearest(place);
            return found == null ? null : attribute(found, place, targetClass);
        } catch (AnnotationConfigurationException ex) {
            String problem = StringUtils.trimTrailingCharacter(String.valueOf(ex.getMessage()), '.');
            throw place.error("scope", problem, "Give either 'scope' or 'value', not both", ex);
        }
    }

    private static @Nullable MergedAnnotation<DistributedLock> nearest(AnnotatedPlace place) {
        List<MergedAnnotation<DistributedLock>> found =
                MergedAnnotations.from(place.method(), SearchStrategy.TYPE_HIERARCHY).stream(DistributedLock.class)
                        .toList();
        if (found.isEmpty()) {
            return null;
        }
        MergedAnnotation<DistributedLock> nearest = found.get(0);
        long onSameMethod = found.stream()
                .filter(other -> other.getAggregateIndex() == nearest.getAggregateIndex())
                .count();
        if (onSameMethod > 1) {
            throw place.error(
                    null,
                    "the method has " + onSameMethod
                            + " locks (annotations of your own count), of which one would be taken",
                    "Keep one, and take the others in methods of other beans or with LockTemplate");
        }
        return nearest;
    }

    private LockAttribute attribute(
            MergedAnnotation<DistributedLock> found, AnnotatedPlace place, @Nullable Class<?> targetClass) {
        DistributedLock annotation = found.synthesize();
        Method annotated = found.getSource() instanceof Method source ? source : place.method();
        DurationReader durations = new DurationReader(placeholders, place);
        return new LockAttribute(
                annotation.scope().isEmpty()
                        ? DefaultScope.of(place.method(), annotated, targetClass)
                        : scope(annotation.scope(), place),
                List.of(annotation.key()),
                durations.expire(annotation.expire(), annotation.expireString()),
                durations.waitTime(annotation.waitTime(), annotation.waitTimeString()),
                annotation.renew());
    }

    private String scope(String text, AnnotatedPlace place) {
        String scope = place.resolve("scope", text, placeholders);
        try {
            return LockNames.checkScope(scope);
        } catch (IllegalArgumentException ex) {
            throw place.error(
                    "scope",
                    ex.getMessage() + AnnotatedPlace.origin(text, scope),
                    "Use a plain name such as 'server_access', and put what varies from call to call into 'key'",
                    ex);
        }
    }
}
