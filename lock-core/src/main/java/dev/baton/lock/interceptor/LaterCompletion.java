package dev.baton.lock.interceptor;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Refuses methods that return before their work is done: their lock would be released too early. */
final class LaterCompletion {

    /** Types that need not be on the class path. */
    private static final Set<String> REACTIVE_TYPES =
            Set.of("org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Job");

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private LaterCompletion() {}

    static void check(Class<?> type, Method method) {
        if (isSuspending(method)) {
            throw error(type, method, "is a suspending function");
        }
        Class<?> returned = ResolvableType.forMethodReturnType(method, type).resolve(method.getReturnType());
        if (completesLater(returned)) {
            throw error(type, method, "returns a " + returned.getName());
        }
    }

    private static LockDefinitionException error(Class<?> type, Method method, String what) {
        return new LockDefinitionException(
                type,
                method,
                null,
                "the method " + what + ", and the lock would be released when it returns, before its work is done",
                "Return the result itself; asynchronous return types are not supported yet");
    }

    private static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    private static boolean completesLater(Class<?> type) {
        return CompletionStage.class.isAssignableFrom(type)
                || Future.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || REACTIVE_TYPES.contains(type.getName())
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(implemented -> REACTIVE_TYPES.contains(implemented.getName()))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }
}
