package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.validation.LockDefinitionValidator;
import dev.baton.lock.testing.LockedContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests attributes that do not apply to a method with an asynchronous result. */
class LaterResultDefinitionTests {

    @Test
    void interruptNeedsASynchronousMethod() {
        LockDefinitionException failure = LockedContext.failure(InterruptOnLoss.class);
        assertThat(failure.attribute()).hasValue("onLost");
        assertThat(failure.problem())
                .isEqualTo("onLost = INTERRUPT needs a thread that does the work, and the method returns a"
                        + " java.util.concurrent.CompletableFuture, whose work is not bound to a thread");
        assertThat(failure.action())
                .isEqualTo("Write onLost = THROW, and have the work ask LockContext.currentLease().isHeld() or use its"
                        + " onLost(..).");
    }

    @Test
    void handlerHasTheReturnTypeOfTheMethod() {
        LockDefinitionException failure = LockedContext.failure(OtherHandler.class);
        assertThat(failure.attribute()).hasValue("onTimeout");
        assertThat(failure.problem())
                .isEqualTo("last(..) returns java.lang.String, and the method"
                        + " java.util.concurrent.CompletableFuture<java.lang.String>");
    }

    @Test
    void resultsWithoutFuturesMayBeNested() {
        LockDefinitionValidator validator = new LockDefinitionValidator(
                new LockedMethods((method, type) -> LockAttribute.of(LockRequest.of("orders"))));
        validator.validate(PresentResults.class, true);
        assertThatThrownBy(() -> validator.validate(HiddenFuture.class, true))
                .isInstanceOf(LockDefinitionException.class)
                .hasMessageContaining("returns a type that contains a java.util.concurrent.CompletableFuture");
    }

    static class PresentResults {
        public <T extends Comparable<T>> List<T> sorted() {
            return List.of();
        }

        public <T extends Enum<T>, M extends Map<T, M>> @Nullable M endless() {
            return null;
        }

        public Map<String, List<Optional<? super Integer>>> nested() {
            return Map.of();
        }
    }

    static class HiddenFuture {
        public Map<String, List<? extends CompletableFuture<String>>> running() {
            return Map.of();
        }
    }

    static class InterruptOnLoss {
        @DistributedLock(value = "orders", onLost = OnLost.INTERRUPT)
        public @Nullable CompletableFuture<String> close() {
            return null;
        }
    }

    static class OtherHandler {
        @DistributedLock(value = "orders", onTimeout = "last")
        public @Nullable CompletableFuture<String> close() {
            return null;
        }

        String last() {
            return "";
        }
    }
}
