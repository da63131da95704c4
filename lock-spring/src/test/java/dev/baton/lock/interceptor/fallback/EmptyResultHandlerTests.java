package dev.baton.lock.interceptor.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockTimeoutException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests the empty results of futures and publishers, and of generic return types. */
class EmptyResultHandlerTests {

    @Test
    void futuresAreCompleted() {
        assertThat((CompletionStage<?>) empty("stage")).satisfies(EmptyResultHandlerTests::isCompletedWithNull);
        assertThat((CompletableFuture<?>) empty("completable")).satisfies(EmptyResultHandlerTests::isCompletedWithNull);
        assertThat((CompletableFuture<?>) empty("future")).satisfies(EmptyResultHandlerTests::isCompletedWithNull);
    }

    @Test
    void publishersAreEmpty() {
        assertThat(((Mono<?>) empty("mono")).block()).isNull();
        assertThat(((Flux<?>) empty("flux")).collectList().block()).isEmpty();
        assertThat(Flux.from((Publisher<?>) empty("publisher")).collectList().block())
                .isEmpty();
    }

    @Test
    void genericReturnTypeIsThatOfTheClass() {
        assertThat(empty("generic")).isEqualTo(OptionalDouble.empty());
    }

    private static void isCompletedWithNull(CompletionStage<?> stage) {
        assertThat(stage.toCompletableFuture()).isCompletedWithValue(null);
    }

    private static @Nullable Object empty(String name) {
        Method method = ReflectionUtils.findMethod(Results.class, name);
        assertThat(method).isNotNull();
        MethodInvocation unused = new ReflectiveMethodInvocation(null, null, method, null, null, null) {};
        return EmptyResultHandler.of(Results.class, method)
                .answer(unused, new LockTimeoutException("a.b", Duration.ZERO, null));
    }

    interface Generic<T> {
        T generic();
    }

    interface Results extends Generic<OptionalDouble> {

        CompletionStage<String> stage();

        CompletableFuture<String> completable();

        Future<String> future();

        Mono<String> mono();

        Flux<String> flux();

        Publisher<String> publisher();
    }
}
