package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.LockDeadlockException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests {@code reentrant}: whether a call under its own lock runs at once, or fails at once. */
class ReentrantAttributeTests extends AttributeFixture {

    ReentrantAttributeTests() {
        super(List.of(), OnMethods.class, OnClass.class, InDefaults.class);
    }

    @Test
    void recursionRunsAtOnce() {
        assertThat(bean(OnMethods.class).factorial(5, bean(OnMethods.class))).isEqualTo(120);
    }

    @Test
    void forbiddenRecursionFailsAtOnce() {
        assertDeadlock(
                () -> bean(OnMethods.class).strict(rest -> bean(OnMethods.class).strict(IntUnaryOperator.identity())));
    }

    @Test
    void nearestValueWins() {
        OnClass onClass = bean(OnClass.class);
        assertDeadlock(() -> onClass.inherited(rest -> onClass.inherited(IntUnaryOperator.identity())));
        assertThat(onClass.own(rest -> onClass.own(IntUnaryOperator.identity())))
                .isEqualTo(2);
        InDefaults inDefaults = bean(InDefaults.class);
        assertDeadlock(() -> inDefaults.inherited(rest -> inDefaults.inherited(IntUnaryOperator.identity())));
        assertThat(inDefaults.own(rest -> inDefaults.own(IntUnaryOperator.identity())))
                .isEqualTo(2);
    }

    private static void assertDeadlock(ThrowingCallable call) {
        assertThatExceptionOfType(LockDeadlockException.class).isThrownBy(call);
    }

    static class OnMethods {
        @DistributedLock("recursive")
        int factorial(int number, OnMethods self) {
            return number <= 1 ? 1 : number * self.factorial(number - 1, self);
        }

        @DistributedLock(scope = "strict", reentrant = false)
        int strict(IntUnaryOperator inner) {
            return inner.applyAsInt(2);
        }
    }

    @DistributedLock(scope = "b", reentrant = false)
    static class OnClass {
        public int inherited(IntUnaryOperator inner) {
            return inner.applyAsInt(2);
        }

        @DistributedLock(reentrant = true)
        public int own(IntUnaryOperator inner) {
            return inner.applyAsInt(2);
        }
    }

    @LockDefaults(scope = "c", reentrant = false)
    static class InDefaults {
        @DistributedLock
        int inherited(IntUnaryOperator inner) {
            return inner.applyAsInt(2);
        }

        @DistributedLock(reentrant = true)
        int own(IntUnaryOperator inner) {
            return inner.applyAsInt(2);
        }
    }
}
