package dev.baton.lock.interceptor.validation;

import dev.baton.lock.OnLost;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.interceptor.LockAttribute;
import dev.baton.lock.interceptor.LockDefinitionException;
import dev.baton.lock.interceptor.async.AsyncResultAdapter;
import dev.baton.lock.interceptor.async.AsyncResultAdapters;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Checks methods that return before their work is done. Rejects methods whose end of work cannot be determined, because
 * their lock would be released too early.
 */
final class AsyncReturnTypeValidator {

    /** Types that need not be on the class path. */
    private static final Set<String> REACTIVE_TYPES =
            Set.of("org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Job");

    /** One level more than {@code Mono<ResponseEntity<Optional<Flux<Order>>>>} needs. */
    private static final int DEEPEST = 4;

    private static final String CONTINUATION = "kotlin.coroutines.Continuation";

    private AsyncReturnTypeValidator() {}

    static void check(Class<?> type, Method method, LockAttribute attribute, AsyncResultAdapters results) {
        if (isSuspending(method)) {
            throw refusal(
                    type,
                    method,
                    "is a suspending function",
                    "Have a function that does not suspend return a Mono or CompletableFuture (mono { } or future { } of"
                            + " kotlinx-coroutines), put @DistributedLock there, and await its result");
        }
        Class<?> returned = AsyncResultAdapters.returnType(type, method);
        Optional<AsyncResultAdapter> result = results.find(type, method);
        if (result.isPresent()) {
            checkAttributes(type, method, returned, attribute);
        } else if (completesLater(returned)) {
            throw refusal(type, method, "returns a " + returned.getName(), action(returned));
        }
        checkContents(type, method, ResolvableType.forMethodReturnType(method, type), DEEPEST);
    }

    /**
     * Checks the type arguments, because the work for the body of a response, as in
     * {@code ResponseEntity<Flux<Order>>}, is done when the response has been returned.
     *
     * @param depth the number of nested levels to check, limited because {@code T extends Comparable<T>} has no end
     */
    private static void checkContents(Class<?> type, Method method, ResolvableType returned, int depth) {
        if (depth == 0) {
            return;
        }
        for (ResolvableType content : returned.getGenerics()) {
            Class<?> resolved = content.resolve();
            if (resolved != null && completesLater(resolved)) {
                throw refusal(
                        type,
                        method,
                        "returns a type that contains a " + resolved.getName(),
                        "Return it directly, so that the lock is kept until it is done, or return its result; wrap it in a method"
                                + " without a lock");
            }
            checkContents(type, method, content, depth - 1);
        }
    }

    private static void checkAttributes(Class<?> type, Method method, Class<?> returned, LockAttribute attribute) {
        if (attribute.request().onLost() == OnLost.INTERRUPT) {
            throw new LockDefinitionException(
                    type,
                    method,
                    "onLost",
                    "onLost = INTERRUPT needs a thread that does the work, and the method returns a "
                            + returned.getName() + ", whose work is not bound to a thread",
                    "Write onLost = THROW, and have the work ask LockContext.currentLease().isHeld() or use its onLost(..)");
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        if (attribute.whenBusy() == WhenBusy.SKIP && adapter != null && !adapter.supportsEmpty()) {
            throw new LockDefinitionException(
                    type,
                    method,
                    "whenBusy",
                    "whenBusy = SKIP returns nothing if the lock is busy, and a " + returned.getName()
                            + " always has a value",
                    "Return a type that can be empty, such as Mono, or name a method with onTimeout that says what to return");
        }
    }

    private static LockDefinitionException refusal(Class<?> type, Method method, String what, String action) {
        return new LockDefinitionException(
                type,
                method,
                null,
                "the method " + what + ", and the lock would be released when it returns, before its work is done",
                action);
    }

    private static String action(Class<?> returned) {
        if (CompletionStage.class.isAssignableFrom(returned)) {
            return "Declare CompletionStage or CompletableFuture as the return type: callers get a future that completes after the"
                    + " lock was released, not the one that the method returned";
        }
        if (Future.class.isAssignableFrom(returned)) {
            return "Return a CompletableFuture: without waiting, nothing can tell when another Future is done";
        }
        return "Return a Mono, Flux or Publisher (with Reactor on the class path), a CompletableFuture, or the result itself";
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
