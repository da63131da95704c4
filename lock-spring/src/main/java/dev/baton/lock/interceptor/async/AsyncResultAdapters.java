package dev.baton.lock.interceptor.async;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;

/** Finds the adapter for methods whose work continues after they have returned. Thread-safe. */
public final class AsyncResultAdapters {

    private final AsyncResultAdapter stages = new CompletionStageAdapter();
    private final Supplier<? extends @Nullable BeanFactory> beanFactory;

    /**
     * Creates the finder.
     *
     * @param beanFactory supplies the bean factory that has the adapters other than that of {@code CompletionStage}, or
     *     {@code null} if there is none
     */
    public AsyncResultAdapters(Supplier<? extends @Nullable BeanFactory> beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * Returns the adapter for a method. Empty if the work of the method is done when it returns, or if its end cannot
     * be determined.
     */
    public Optional<AsyncResultAdapter> find(Class<?> type, Method method) {
        Class<?> returned = returnType(type, method);
        return Stream.concat(Stream.of(stages), beans())
                .filter(result -> result.supports(returned))
                .findFirst();
    }

    private Stream<AsyncResultAdapter> beans() {
        BeanFactory factory = beanFactory.get();
        return factory == null
                ? Stream.empty()
                : factory.getBeanProvider(AsyncResultAdapter.class).orderedStream();
    }

    /** Returns the return type of a method in this class, which may be more specific than in its declaration. */
    public static Class<?> returnType(Class<?> type, Method method) {
        return ResolvableType.forMethodReturnType(method, type).resolve(method.getReturnType());
    }
}
