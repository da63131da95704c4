package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** {@code stallTimeString}: gives up while the same holder keeps the lock, long before the wait time. */
class StallTimeAttributeTests extends AttributeFixture {

    StallTimeAttributeTests() {
        super(
                List.of("stall=200ms", "baton.wait-time=30s", "baton.scopes.scoped.stall-time=200ms"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void givesUpOnAHolderThatIsStuck() {
        assertStuck("a", bean(OnMethods.class)::text);
    }

    @Test
    void placeholderIsReplaced() {
        assertStuck("a", bean(OnMethods.class)::placeholder);
    }

    @Test
    void stallTimeOfTheScopeIsTaken() {
        assertStuck("scoped", bean(OnMethods.class)::scoped);
    }

    @Test
    void stallTimeOfTheClassAndOfTheDefaultsIsInherited() {
        assertStuck("b", bean(OnClass.class)::inherited);
        assertStuck("c", bean(InDefaults.class)::inherited);
    }

    @Test
    void nearestCounts() {
        assertTimedOut("b", bean(OnClass.class)::own);
        assertTimedOut("c", bean(InDefaults.class)::own);
        assertTimedOut("scoped", bean(OnMethods.class)::scopedWithItsOwn);
    }

    @Test
    void notWrittenOnlyTheWaitTimeEnds() {
        assertTimedOut("a", bean(OnMethods.class)::without);
    }

    private void assertStuck(String scope, ThrowingCallable call) {
        try (Lease held = hold(scope)) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(call)
                    .satisfies(busy -> {
                        assertThat(busy.isStuck()).isTrue();
                        assertThat(busy.getWaited()).isLessThan(Duration.ofSeconds(20));
                        assertThat(busy.getHolder().orElseThrow().owner()).isEqualTo(held.owner());
                    });
        }
    }

    private void assertTimedOut(String scope, ThrowingCallable call) {
        try (Lease held = hold(scope)) {
            assertThat(held.isHeld()).isTrue();
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(call)
                    .satisfies(busy -> assertThat(busy.isStuck()).isFalse());
        }
    }

    static class OnMethods {
        @DistributedLock(scope = "a", stallTimeString = "200ms")
        void text() {}

        @DistributedLock(scope = "a", stallTimeString = "${stall}")
        void placeholder() {}

        @DistributedLock(scope = "a", waitTimeString = "1200ms")
        void without() {}

        @DistributedLock("scoped")
        void scoped() {}

        @DistributedLock(scope = "scoped", stallTimeString = "20s", waitTimeString = "1200ms")
        void scopedWithItsOwn() {}
    }

    @DistributedLock(scope = "b", stallTimeString = "200ms")
    static class OnClass {
        public void inherited() {}

        @DistributedLock(stallTimeString = "20s", waitTimeString = "1200ms")
        public void own() {}
    }

    @LockDefaults(scope = "c", stallTimeString = "${stall}")
    static class InDefaults {
        @DistributedLock
        void inherited() {}

        @DistributedLock(stallTimeString = "20s", waitTimeString = "1200ms")
        void own() {}
    }
}
