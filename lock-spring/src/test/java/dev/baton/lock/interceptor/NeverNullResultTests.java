package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.LockedContext;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that {@code whenBusy = SKIP}, which returns null if the return type has no empty value, is refused on methods
 * that promise a result, as in this {@code @NullMarked} package.
 */
class NeverNullResultTests {

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void promiseOfAResultFailsTheStart(Class<?> bean, String promise) {
        LockDefinitionException failure = LockedContext.failure(bean);
        assertThat(failure.beanClass()).isEqualTo(bean);
        assertThat(failure.methodSignature()).isEqualTo("find(String)");
        assertThat(failure.attribute()).hasValue("whenBusy");
        assertThat(failure.problem())
                .isEqualTo(
                        "whenBusy = SKIP returns null if the lock is busy, and the method promises a result that is never"
                                + " null (" + promise + ")");
        assertThat(failure.action())
                .isEqualTo(
                        "Return a type that can be empty, such as Optional, declare the result @Nullable (in Kotlin with '?'),"
                                + " or name a method with onTimeout that says what to return.");
    }

    static Stream<Arguments> promiseOfAResultFailsTheStart() {
        String here = NeverNullResultTests.class.getName();
        return Stream.of(
                arguments(InMarkedPackage.class, "@NullMarked on dev.baton.lock.interceptor"),
                arguments(ListInMarkedPackage.class, "@NullMarked on dev.baton.lock.interceptor"),
                arguments(NullableElements.class, "@NullMarked on dev.baton.lock.interceptor"),
                arguments(NeverNullVariable.class, "@NullMarked on dev.baton.lock.interceptor"),
                arguments(Unmarked.MarkedClass.class, "@NullMarked on " + here + "$Unmarked$MarkedClass"),
                arguments(Unmarked.MarkedMethod.class, "@NullMarked on " + here + "$Unmarked$MarkedMethod.find(..)"),
                arguments(Unmarked.InMarkedClass.Inner.class, "@NullMarked on " + here + "$Unmarked$InMarkedClass"),
                arguments(Unmarked.ExplicitType.class, "@NonNull"),
                arguments(Unmarked.ExplicitMethod.class, "@Nonnull"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                DeclaredNullable.class,
                NullableArray.class,
                NullableVariable.class,
                NullableByOtherLibrary.class,
                Empty.class,
                Nothing.class,
                Unmarked.Unannotated.class,
                UnmarkedMethod.class
            })
    void methodsThatMayReturnNullOrHaveAnEmptyResultPass(Class<?> bean) {
        assertThatCode(() -> LockedContext.start(bean).close()).doesNotThrowAnyException();
    }

    static class InMarkedPackage {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        String find(String id) {
            return id;
        }
    }

    static class ListInMarkedPackage {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        List<String> find(String id) {
            return List.of(id);
        }
    }

    static class NullableElements {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        @Nullable
        String[] find(String id) {
            return new String[] {id};
        }
    }

    static class NeverNullVariable<T> {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        T find(String id) {
            throw new AssertionError("called");
        }
    }

    static class DeclaredNullable {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        @Nullable
        String find(String id) {
            return id;
        }
    }

    static class NullableArray {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        String @Nullable [] find(String id) {
            return null;
        }
    }

    static class NullableVariable<T extends @Nullable Object> {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        T find(String id) {
            throw new AssertionError("called");
        }
    }

    static class NullableByOtherLibrary {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        @Other.Nullable
        String find(String id) {
            return id;
        }
    }

    static class Empty {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        Optional<String> find(String id) {
            return Optional.of(id);
        }

        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        CompletableFuture<String> begin(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class Nothing {
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        void find(String id) {}

        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        Void findBoxed(String id) {
            throw new AssertionError("called");
        }
    }

    static class UnmarkedMethod {
        @NullUnmarked
        @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
        String find(String id) {
            return id;
        }
    }

    /** {@code @NullUnmarked}, as in code without annotations. */
    @NullUnmarked
    static class Unmarked {

        static class Unannotated {
            @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
            String find(String id) {
                return id;
            }
        }

        @NullMarked
        static class MarkedClass {
            @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
            String find(String id) {
                return id;
            }
        }

        static class MarkedMethod {
            @NullMarked
            @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
            String find(String id) {
                return id;
            }
        }

        @NullMarked
        static class InMarkedClass {
            static class Inner {
                @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
                String find(String id) {
                    return id;
                }
            }
        }

        static class ExplicitType {
            @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
            @NonNull
            String find(String id) {
                return id;
            }
        }

        static class ExplicitMethod {
            @DistributedLock(scope = "orders", whenBusy = WhenBusy.SKIP)
            @Other.Nonnull
            String find(String id) {
                return id;
            }
        }
    }

    /** Annotations of other libraries, which apply to the method and not to its type. */
    static class Other {

        @Retention(RetentionPolicy.RUNTIME)
        @interface Nullable {}

        @Retention(RetentionPolicy.RUNTIME)
        @interface Nonnull {}
    }
}
