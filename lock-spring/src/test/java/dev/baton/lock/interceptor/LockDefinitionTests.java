package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.other.PackagePrivateBase;
import dev.baton.lock.testing.LockedContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Tests that a lock on an unsuitable method fails the start, with the class, the method and the remedy. */
class LockDefinitionTests {

    private static final String RETURN_STAGE =
            "Return a CompletableFuture: without waiting, nothing can tell when another Future is done.";
    private static final String DECLARE_STAGE =
            "Declare CompletionStage or CompletableFuture as the return type: callers get a future that completes after the lock"
                    + " was released, not the one that the method returned.";
    private static final String RETURN_MONO =
            "Return a Mono, Flux or Publisher (with Reactor on the class path), a CompletableFuture, or the result itself.";
    private static final String DO_NOT_SUSPEND =
            "Have a function that does not suspend return a Mono or CompletableFuture (mono { } or future { } of"
                    + " kotlinx-coroutines), put @DistributedLock there, and await its result.";
    private static final String LATER = ", and the lock would be released when it returns, before its work is done";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void failsTheStart(Class<?> bean, String problem, String action) {
        LockDefinitionException failure = LockedContext.failure(bean);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).isEqualTo("close(String)");
        assertThat(failure.attribute()).isEmpty();
        assertThat(failure.problem()).isEqualTo(problem);
        assertThat(failure.action()).isEqualTo(action);
        assertThat(failure).hasMessage(failure.description() + " " + action);
    }

    static Stream<Arguments> failsTheStart() {
        return Stream.concat(methods(), returnTypes());
    }

    private static Stream<Arguments> methods() {
        return Stream.of(
                arguments(
                        FinalMethod.class,
                        "the method is final, so it cannot be intercepted",
                        "Remove 'final' (in Kotlin declare it 'open')."),
                arguments(
                        PrivateMethod.class,
                        "the method is private, so it cannot be intercepted",
                        "Make it public and call it from another bean."),
                arguments(
                        StaticMethod.class,
                        "the method is static, so it is not called on a bean and cannot be intercepted",
                        "Make it an instance method of a bean."),
                arguments(
                        OtherPackage.class,
                        "the method is package-private in dev.baton.lock.interceptor.other.PackagePrivateBase, a class of"
                                + " another package, so it cannot be intercepted",
                        "Make it protected or public."),
                arguments(
                        FinalClass.class,
                        "the class is final, so it cannot have a proxy that takes the lock",
                        "Open the class to subclasses (in Kotlin 'open', or the kotlin-spring plugin), or declare the method in"
                                + " an interface and set spring.aop.proxy-target-class=false."),
                arguments(
                        SealedClass.class,
                        "the class is sealed, so it cannot have a proxy that takes the lock",
                        "Open the class to subclasses (in Kotlin 'open', or the kotlin-spring plugin), or declare the method in"
                                + " an interface and set spring.aop.proxy-target-class=false."));
    }

    private static Stream<Arguments> returnTypes() {
        return Stream.of(
                arguments(
                        ReturnsOwnStage.class,
                        "the method returns a " + OwnStage.class.getName() + LATER,
                        DECLARE_STAGE),
                arguments(
                        ReturnsFuture.class, "the method returns a java.util.concurrent.Future" + LATER, RETURN_STAGE),
                arguments(
                        ReturnsFlow.class,
                        "the method returns a java.util.concurrent.Flow$Publisher" + LATER,
                        RETURN_MONO),
                arguments(
                        ReturnsPublisher.class,
                        "the method returns a org.reactivestreams.Publisher" + LATER,
                        RETURN_MONO),
                arguments(ReturnsMono.class, "the method returns a reactor.core.publisher.Mono" + LATER, RETURN_MONO),
                arguments(
                        ReturnsGenericFuture.class,
                        "the method returns a java.util.concurrent.FutureTask" + LATER,
                        RETURN_STAGE));
    }

    @Test
    void suspendingFunctionFailsTheStart() {
        LockDefinitionException failure = LockedContext.failure(SuspendingFunction.class);
        assertThat(failure.methodSignature()).isEqualTo("close(String, Continuation)");
        assertThat(failure.problem()).isEqualTo("the method is a suspending function" + LATER);
        assertThat(failure.action()).isEqualTo(DO_NOT_SUSPEND);
    }

    static class FinalMethod {
        @DistributedLock("orders")
        final void close(String id) {}
    }

    @SuppressWarnings("unused")
    static class PrivateMethod {
        @DistributedLock("orders")
        private void close(String id) {}
    }

    static class StaticMethod {
        @DistributedLock("orders")
        static void close(String id) {}
    }

    static class OtherPackage extends PackagePrivateBase {}

    static final class FinalClass implements Closer {
        @Override
        @DistributedLock("orders")
        public void close(String id) {}
    }

    interface Closer {
        void close(String id);
    }

    abstract static sealed class Sealed permits SealedClass {}

    static sealed class SealedClass extends Sealed permits SealedChild {
        @DistributedLock("orders")
        public void close(String id) {}
    }

    static final class SealedChild extends SealedClass {}

    static class OwnStage extends CompletableFuture<String> {}

    static class ReturnsOwnStage {
        @DistributedLock("orders")
        @Nullable
        OwnStage close(String id) {
            return null;
        }
    }

    static class ReturnsFuture {
        @DistributedLock("orders")
        @Nullable
        Future<String> close(String id) {
            return null;
        }
    }

    static class ReturnsFlow {
        @DistributedLock("orders")
        Flow.@Nullable Publisher<String> close(String id) {
            return null;
        }
    }

    static class ReturnsPublisher {
        @DistributedLock("orders")
        @Nullable
        Publisher<String> close(String id) {
            return null;
        }
    }

    static class ReturnsMono {
        @DistributedLock("orders")
        @Nullable
        Mono<String> close(String id) {
            return null;
        }
    }

    abstract static class ReturnsGeneric<T> {
        @DistributedLock("orders")
        @Nullable
        T close(String id) {
            return null;
        }
    }

    static class ReturnsGenericFuture extends ReturnsGeneric<FutureTask<String>> {}

    static class SuspendingFunction {
        @DistributedLock("orders")
        @Nullable
        Object close(String id, Continuation<String> continuation) {
            return null;
        }
    }
}
