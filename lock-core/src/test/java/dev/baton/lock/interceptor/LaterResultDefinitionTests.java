package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.OnLost;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.LockedContext;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Attributes that mean nothing for a method whose work goes on after it has returned. */
class LaterResultDefinitionTests {

    @Test
    void interruptNeedsAThreadThatDoesTheWork() {
        LockDefinitionException failure = LockedContext.failure(Interrupting.class);
        assertThat(failure.getAttribute()).hasValue("onLost");
        assertThat(failure.getProblem())
                .isEqualTo("onLost = INTERRUPT needs a thread that does the work, and the method returns a"
                        + " java.util.concurrent.CompletableFuture, whose work no thread stays with");
        assertThat(failure.getAction())
                .isEqualTo("Write onLost = THROW, and have the work ask LockContext.currentLease().isHeld() or use its"
                        + " onLost(..).");
    }

    @Test
    void handlerReturnsWhatTheMethodReturns() {
        LockDefinitionException failure = LockedContext.failure(OtherHandler.class);
        assertThat(failure.getAttribute()).hasValue("onTimeout");
        assertThat(failure.getProblem())
                .isEqualTo("last(..) returns java.lang.String, and the method"
                        + " java.util.concurrent.CompletableFuture<java.lang.String>");
    }

    static class Interrupting {
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
