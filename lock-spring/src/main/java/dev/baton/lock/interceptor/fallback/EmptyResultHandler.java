package dev.baton.lock.interceptor.fallback;

import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/** Returns the empty value of the method's return type, instead of waiting longer. */
public final class EmptyResultHandler implements BusyHandler {

    private static final Map<Class<?>, Supplier<Object>> OPTIONALS = Map.of(
            Optional.class, Optional::empty,
            OptionalInt.class, OptionalInt::empty,
            OptionalLong.class, OptionalLong::empty,
            OptionalDouble.class, OptionalDouble::empty);

    private final Supplier<? extends @Nullable Object> empty;

    private EmptyResultHandler(Supplier<? extends @Nullable Object> empty) {
        this.empty = empty;
    }

    /**
     * Creates the handler of a method.
     *
     * @throws LockDefinitionException if the return type has no empty value
     */
    public static EmptyResultHandler of(Class<?> type, Method method) {
        Class<?> returned = ResolvableType.forMethodReturnType(method, type).resolve(method.getReturnType());
        if (returned.isPrimitive() && returned != void.class) {
            throw new LockDefinitionException(
                    type,
                    method,
                    "whenBusy",
                    "whenBusy = SKIP returns nothing if the lock is busy, and the method returns the primitive type "
                            + returned.getName(),
                    "Return a type that can be empty, such as Optional, or name a method with onTimeout that says what to"
                            + " return");
        }
        Supplier<Object> empty = supplier(returned);
        if (empty != null) {
            return new EmptyResultHandler(empty);
        }
        if (returned != void.class && returned != Void.class) {
            NonNullPromise.of(method).ifPresent(promise -> {
                throw neverNull(type, method, promise);
            });
        }
        return new EmptyResultHandler(() -> null);
    }

    private static LockDefinitionException neverNull(Class<?> type, Method method, String promise) {
        return new LockDefinitionException(
                type,
                method,
                "whenBusy",
                "whenBusy = SKIP returns null if the lock is busy, and the method promises a result that is never null ("
                        + promise + ")",
                "Return a type that can be empty, such as Optional, declare the result @Nullable (in Kotlin with '?'), or"
                        + " name a method with onTimeout that says what to return");
    }

    /** Returns {@code null} if the type has no empty value except {@code null}. */
    private static @Nullable Supplier<Object> supplier(Class<?> returned) {
        Supplier<Object> optional = OPTIONALS.get(returned);
        if (optional != null) {
            return optional;
        }
        if (returned != Object.class && returned.isAssignableFrom(CompletableFuture.class)) {
            return () -> CompletableFuture.completedFuture(null);
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        if (adapter != null && adapter.getDescriptor().supportsEmpty()) {
            return adapter.getDescriptor()::getEmptyValue;
        }
        return null;
    }

    @Override
    public @Nullable Object answer(MethodInvocation invocation, LockTimeoutException timeout) {
        return empty.get();
    }
}
