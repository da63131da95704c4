package dev.baton.lock.interceptor.validation;

import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * Rejects methods whose work is done by the user of the result, because the lock would be released before the work
 * begins.
 */
final class LazyReturnTypeValidator {

    /** Types that need not be on the class path. Spring MVC calls or fills them after the method has returned. */
    private static final Set<String> CALLED_LATER = Set.of(
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private static final String SEQUENCE = "kotlin.sequences.Sequence";

    private LazyReturnTypeValidator() {}

    static void check(Class<?> type, Method method) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
        check(type, method, returned.resolve(method.getReturnType()), "returns a ");
        // the type of a response body must be checked too
        for (ResolvableType generic : returned.getGenerics()) {
            Class<?> resolved = generic.resolve();
            if (resolved != null && isCalledLater(resolved)) {
                check(type, method, resolved, "returns a type that contains a ");
            }
        }
    }

    private static void check(Class<?> type, Method method, Class<?> returned, String how) {
        String action = action(returned);
        if (action != null) {
            throw new LockDefinitionException(
                    type,
                    method,
                    null,
                    "the method " + how + returned.getName()
                            + ", whose work begins when the method has returned and its lock is released",
                    action);
        }
    }

    private static @Nullable String action(Class<?> returned) {
        if (BaseStream.class.isAssignableFrom(returned)
                || Iterator.class.isAssignableFrom(returned)
                || returned.getName().equals(SEQUENCE)) {
            return "Read it under the lock and return a collection";
        }
        if (isCalledLater(returned)) {
            return "Put @DistributedLock on the method of another bean that does the work, and call that one from there";
        }
        return null;
    }

    private static boolean isCalledLater(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (CALLED_LATER.contains(at.getName())) {
                return true;
            }
        }
        return Callable.class.isAssignableFrom(type);
    }
}
