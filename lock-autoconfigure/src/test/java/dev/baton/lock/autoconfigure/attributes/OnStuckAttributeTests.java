package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.OnStuck;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code onStuck}: whether a call takes the lock of a holder that has kept it for the stall time. */
@Tag("once")
class OnStuckAttributeTests extends AttributeFixture {

    OnStuckAttributeTests() {
        super(
                List.of(
                        "baton.wait-time=30s",
                        "baton.scopes.scoped.stall-time=200ms",
                        "baton.scopes.scoped.on-stuck=steal",
                        "baton.scopes.stalls.stall-time=200ms"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void stuckHolderLosesTheLock() {
        assertSteals("a", bean(OnMethods.class)::steals);
        assertSteals("stalls", bean(OnMethods.class)::stealsAtTheStallTimeOfTheScope);
    }

    @Test
    void reactionOfTheScopeApplies() {
        assertSteals("scoped", bean(OnMethods.class)::scoped);
    }

    @Test
    void reactionOfTheClassAndOfTheDefaultsIsInherited() {
        assertSteals("b", bean(OnClass.class)::inherited);
        assertSteals("c", bean(InDefaults.class)::inherited);
    }

    @Test
    void nearestValueWins() {
        assertFails("b", bean(OnClass.class)::own);
        assertFails("c", bean(InDefaults.class)::own);
        assertFails("scoped", bean(OnMethods.class)::scopedWithItsOwn);
    }

    @Test
    void callFailsByDefault() {
        assertFails("a", bean(OnMethods.class)::without);
    }

    private void assertSteals(String scope, LongSupplier call) {
        Lease held = hold(scope);
        assertThat(call.getAsLong()).isGreaterThan(held.fencingToken());
        assertThat(held.release()).isFalse();
    }

    private void assertFails(String scope, ThrowingCallable call) {
        try (Lease held = hold(scope)) {
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(call)
                    .satisfies(busy -> assertThat(busy.isStuck()).isTrue());
            assertThat(held.isHeld()).isTrue();
        }
    }

    private static long token() {
        return LockContext.currentLease().fencingToken();
    }

    static class OnMethods {
        @DistributedLock(scope = "a", stallTimeString = "200ms", onStuck = OnStuck.STEAL)
        long steals() {
            return token();
        }

        @DistributedLock(scope = "stalls", onStuck = OnStuck.STEAL)
        long stealsAtTheStallTimeOfTheScope() {
            return token();
        }

        @DistributedLock(scope = "a", stallTimeString = "200ms")
        void without() {}

        @DistributedLock("scoped")
        long scoped() {
            return token();
        }

        @DistributedLock(scope = "scoped", onStuck = OnStuck.FAIL)
        void scopedWithItsOwn() {}
    }

    @DistributedLock(scope = "b", stallTimeString = "200ms", onStuck = OnStuck.STEAL)
    static class OnClass {
        public long inherited() {
            return token();
        }

        @DistributedLock(onStuck = OnStuck.FAIL)
        public void own() {}
    }

    @LockDefaults(scope = "c", stallTimeString = "200ms", onStuck = OnStuck.STEAL)
    static class InDefaults {
        @DistributedLock
        long inherited() {
            return token();
        }

        @DistributedLock(onStuck = OnStuck.FAIL)
        void own() {}
    }
}
