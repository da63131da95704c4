package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WhenBusy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Component;

/** Tests {@code onTimeout}: the fallback that is called if the lock is not granted in time. */
class OnTimeoutAttributeTests extends AttributeFixture {

    OnTimeoutAttributeTests() {
        super(List.of("handler=last"), OnMethods.class, OnClass.class, InDefaults.class, Archive.class);
    }

    @Test
    void fallbackMethodIsCalledWhileTheLockIsBusy() {
        OnMethods methods = bean(OnMethods.class);
        try (Lease held = hold("a")) {
            assertThat(methods.byName(7)).isEqualTo("last 7");
            assertThat(methods.byPlaceholder(7)).isEqualTo("last 7");
            assertThat(methods.withException(7)).isEqualTo("7 is busy: a.global, held by " + held.owner());
            assertThat(methods.ofBean(7)).isEqualTo("archived 7");
        }
        assertThat(methods.byName(7)).isEqualTo("built 7");
        assertThat(methods.byPlaceholder(7)).isEqualTo("built 7");
        assertThat(methods.withException(7)).isEqualTo("built 7");
        assertThat(methods.ofBean(7)).isEqualTo("built 7");
    }

    @Test
    void exceptionOfTheFallbackHasTheTimeoutAsSuppressed() {
        try (Lease held = hold("a")) {
            assertThat(held.isHeld()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(() -> bean(OnMethods.class).refusing(7))
                    .withMessage("no 7")
                    .satisfies(thrown ->
                            assertThat(thrown.getSuppressed()).hasOnlyElementsOfType(LockTimeoutException.class));
        }
    }

    @Test
    void timeoutInsideTheMethodCallsNoFallback() {
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> bean(OnMethods.class).timingOut(7));
    }

    @Test
    void nearestOfOnTimeoutAndWhenBusyWins() {
        try (Lease onClass = hold("b");
                Lease inDefaults = hold("c")) {
            assertThat(onClass.isHeld() && inDefaults.isHeld()).isTrue();
            assertThat(bean(OnClass.class).inherited(7)).isEqualTo("class 7");
            assertThat(bean(OnClass.class).own(7)).isEqualTo("archived 7");
            assertThat(bean(OnClass.class).skipping(7)).isNull();
            assertThat(bean(InDefaults.class).inherited(7)).isEqualTo("archived 7");
            assertThat(bean(InDefaults.class).own(7)).isEqualTo("own 7");
        }
    }

    static class OnMethods {
        @DistributedLock(scope = "a", onTimeout = "last")
        String byName(int id) {
            return "built " + id;
        }

        @DistributedLock(scope = "a", onTimeout = "${handler}")
        String byPlaceholder(int id) {
            return "built " + id;
        }

        @DistributedLock(scope = "a", onTimeout = "busy")
        String withException(int id) {
            return "built " + id;
        }

        @DistributedLock(scope = "a", onTimeout = "@archive.find(#id)")
        String ofBean(int id) {
            return "built " + id;
        }

        @DistributedLock(scope = "a", onTimeout = "refuse")
        String refusing(int id) {
            return "built " + id;
        }

        @DistributedLock(scope = "a", onTimeout = "last")
        String timingOut(int id) {
            throw new LockTimeoutException("another.global", Duration.ZERO, null);
        }

        String last(int id) {
            return "last " + id;
        }

        String busy(int id, LockTimeoutException busy) {
            return id + " is busy: " + busy.name() + ", held by "
                    + busy.holder().orElseThrow().owner();
        }

        String refuse(int id) {
            throw new IllegalStateException("no " + id);
        }
    }

    @DistributedLock(scope = "b", onTimeout = "last")
    static class OnClass {
        public String inherited(int id) {
            return "built " + id;
        }

        @DistributedLock(onTimeout = "@archive.find(#id)")
        public String own(int id) {
            return "built " + id;
        }

        @DistributedLock(whenBusy = WhenBusy.SKIP)
        public String skipping(int id) {
            return "built " + id;
        }

        String last(int id) {
            return "class " + id;
        }
    }

    @LockDefaults(scope = "c", onTimeout = "@archive.find(#id)")
    static class InDefaults {
        @DistributedLock
        String inherited(int id) {
            return "built " + id;
        }

        @DistributedLock(onTimeout = "last")
        String own(int id) {
            return "built " + id;
        }

        String last(int id) {
            return "own " + id;
        }
    }

    @Component("archive")
    static class Archive {
        public String find(int id) {
            return "archived " + id;
        }
    }
}
