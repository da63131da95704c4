package dev.baton.lock.autoconfigure.attributes;

import static dev.baton.lock.OnLost.INTERRUPT;
import static dev.baton.lock.OnLost.LOG;
import static dev.baton.lock.OnLost.THROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.LockLostException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code onLost}: the behaviour of a method that loses its lease. */
@Tag("once")
class OnLostAttributeTests extends AttributeFixture {

    OnLostAttributeTests() {
        // a holder is notified before its lease ends in Redis, so the next call waits for that end
        super(
                List.of("baton.wait-time=10s", "baton.scopes.scoped.on-lost=log"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void throwFailsTheCallWithTheResultInTheException() {
        assertLost(bean(OnMethods.class)::notWritten);
        assertLost(bean(OnMethods.class)::throwing);
    }

    @Test
    void exceptionOfTheMethodHasTheLossAsSuppressed() {
        assertThatIllegalStateException()
                .isThrownBy(bean(OnMethods.class)::failing)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
    }

    @Test
    void interruptEndsTheMethodEarly() {
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(bean(OnMethods.class)::interrupted);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void logReturnsTheResult() throws Exception {
        assertThat(bean(OnMethods.class).logging()).isEqualTo("done");
    }

    @Test
    void nearestValueWins() throws Exception {
        assertThat(bean(OnMethods.class).scoped()).isEqualTo("done");
        assertLost(bean(OnMethods.class)::scopedWithItsOwn);
        assertThat(bean(OnClass.class).inherited()).isEqualTo("done");
        assertLost(bean(OnClass.class)::own);
        assertThat(bean(InDefaults.class).inherited()).isEqualTo("done");
        assertLost(bean(InDefaults.class)::own);
    }

    private static void assertLost(ThrowingCallable call) {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(call)
                .satisfies(lost -> assertThat(lost.result()).isEqualTo("done"));
    }

    /** Works for longer than the lease, which is not renewed. */
    private static String outlive() throws InterruptedException {
        while (lease().isHeld()) {
            Thread.sleep(2);
        }
        return "done";
    }

    static class OnMethods {
        @DistributedLock(scope = "a", expireString = "800ms")
        String notWritten() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(scope = "a", expireString = "800ms", onLost = THROW)
        String throwing() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(scope = "a", expireString = "800ms", onLost = THROW)
        String failing() throws InterruptedException {
            throw new IllegalStateException(outlive());
        }

        @DistributedLock(scope = "a", expireString = "800ms", onLost = INTERRUPT)
        String interrupted() throws InterruptedException {
            Thread.sleep(30_000);
            return "not interrupted";
        }

        @DistributedLock(scope = "a", expireString = "800ms", onLost = LOG)
        String logging() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(scope = "scoped", expireString = "800ms")
        String scoped() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(scope = "scoped", expireString = "800ms", onLost = THROW)
        String scopedWithItsOwn() throws InterruptedException {
            return outlive();
        }
    }

    @DistributedLock(scope = "b", expireString = "800ms", onLost = LOG)
    static class OnClass {
        public String inherited() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(onLost = THROW)
        public String own() throws InterruptedException {
            return outlive();
        }
    }

    @LockDefaults(scope = "c", expireString = "800ms", onLost = LOG)
    static class InDefaults {
        @DistributedLock
        String inherited() throws InterruptedException {
            return outlive();
        }

        @DistributedLock(onLost = THROW)
        String own() throws InterruptedException {
            return outlive();
        }
    }
}
