package dev.baton.lock.interceptor.async;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;

/** Finds how methods are executed whose work goes on after they have returned. Thread-safe. */
public final class AsyncResultAdapters {

    private final AsyncResultAdapter stages = new CompletionStageAdapter();
    private final Supplier<? extends @Nullable BeanFactory> beanFactory;

    /**
     * Creates it.
     *
     * @param beanFactory where others than {@code CompletionStage} are found; gives null: nowhere
     */
    public AsyncResultAdapters(Supplier<? extends @Nullable BeanFactory> beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** Empty: the work of the method is done when it returns, or nobody can say when. */
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

    /** What a method returns in this class, which may say more than where it is declared. */
    public static Class<?> returnType(Class<?> type, Method method) {
        return ResolvableType.forMethodReturnType(method, type).resolve(method.getReturnType());
    }
}
