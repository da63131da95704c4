package dev.baton.lock.aot;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.annotation.NoDistributedLock;
import java.lang.annotation.Annotation;
import java.lang.annotation.Repeatable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Lets a native image read the attributes of the annotations that declare the locks of a bean, including composed ones
 * and the containers of repeated ones.
 */
final class AnnotatedBeanAotProcessor implements BeanRegistrationAotProcessor {

    private static final List<Class<? extends Annotation>> OURS =
            List.of(DistributedLock.class, LockDefaults.class, NoDistributedLock.class);

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
        Class<?> type = ClassUtils.getUserClass(registeredBean.getBeanClass());
        Set<Class<?>> annotations = new LinkedHashSet<>();
        collect(type, annotations);
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            collect(method, annotations);
        }
        if (annotations.isEmpty()) {
            return null;
        }
        return (generationContext, code) -> annotations.forEach(annotation -> generationContext
                .getRuntimeHints()
                .reflection()
                .registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS));
    }

    private static void collect(AnnotatedElement element, Set<Class<?>> annotations) {
        MergedAnnotations found = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        for (Class<? extends Annotation> ours : OURS) {
            found.stream(ours)
                    .flatMap(annotation -> annotation.getMetaTypes().stream())
                    .forEach(type -> add(type, annotations));
        }
    }

    /** Adds an annotation and its container, from which repeated annotations are read. */
    private static void add(Class<?> type, Set<Class<?>> annotations) {
        annotations.add(type);
        Repeatable repeatable = type.getAnnotation(Repeatable.class);
        if (repeatable != null) {
            annotations.add(repeatable.value());
        }
    }
}
