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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code stallTimeString}: a waiter gives up long before its wait time if the holder does not change. */
@Tag("once")
class StallTimeAttributeTests extends AttributeFixture {

    StallTimeAttributeTests() {
        super(
                List.of("stall=200ms", "baton.wait-time=30s", "baton.scopes.scoped.stall-time=200ms"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void waiterGivesUpOnAStuckHolder() {
        assertStuck("a", bean(OnMethods.class)::text);
    }

    @Test
    void placeholderIsReplaced() {
        assertStuck("a", bean(OnMethods.class)::placeholder);
    }

    @Test
    void stallTimeOfTheScopeApplies() {
        assertStuck("scoped", bean(OnMethods.class)::scoped);
    }

    @Test
    void stallTimeOfTheClassAndOfTheDefaultsIsInherited() {
        assertStuck("b", bean(OnClass.class)::inherited);
        assertStuck("c", bean(InDefaults.class)::inherited);
    }

    @Test
    void nearestValueWins() {
        assertTimedOut("b", bean(OnClass.class)::own);
        assertTimedOut("c", bean(InDefaults.class)::own);
        assertTimedOut("scoped", bean(OnMethods.class)::scopedWithItsOwn);
    }

    @Test
    void stallTimeIsOffByDefault() {
        assertTimedOut("a", bean(OnMethods.class)::without);
    }

    private void assertStuck(String scope, ThrowingCallable call) {
        try (Lease held = hold(scope)) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(call)
                    .satisfies(busy -> {
                        assertThat(busy.isStuck()).isTrue();
                        assertThat(busy.waited()).isLessThan(Duration.ofSeconds(20));
                        assertThat(busy.holder().orElseThrow().owner()).isEqualTo(held.owner());
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
