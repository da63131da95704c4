package dev.baton.lock.autoconfigure.attributes;

import static dev.baton.lock.LockMode.EXCLUSIVE;
import static dev.baton.lock.LockMode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.Lease;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code mode}: one holder at a time, while shared locks, which do not exist yet, fail the start. */
class ModeAttributeTests extends AttributeFixture {

    ModeAttributeTests() {
        super(List.of(), Exclusive.class, ExclusiveAgain.class);
    }

    @Test
    void exclusiveAllowsOneHolder() {
        try (Lease held = hold("a")) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(bean(Exclusive.class)::close);
            assertBusy(bean(ExclusiveAgain.class)::close);
        }
        assertThat(bean(Exclusive.class).close()).isTrue();
        assertThat(bean(ExclusiveAgain.class).close()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {SharedOnMethod.class, SharedOnClass.class, SharedInDefaults.class})
    void sharedFailsTheStart(Class<?> bean) {
        assertThatException()
                .isThrownBy(() -> application(bean).close())
                .withRootCauseInstanceOf(LockDefinitionException.class)
                .withStackTraceContaining(
                        bean.getName() + ".read(), attribute 'mode': mode = SHARED is not supported yet");
    }

    static class Exclusive {
        @DistributedLock(scope = "a", mode = EXCLUSIVE)
        boolean close() {
            return lease().isHeld();
        }
    }

    @LockDefaults(mode = SHARED)
    static class ExclusiveAgain {
        @DistributedLock(scope = "a", mode = EXCLUSIVE)
        boolean close() {
            return lease().isHeld();
        }
    }

    static class SharedOnMethod {
        @DistributedLock(mode = SHARED)
        public void read() {}
    }

    @DistributedLock(mode = SHARED)
    static class SharedOnClass {
        public void read() {}
    }

    @LockDefaults(mode = SHARED)
    static class SharedInDefaults {
        @DistributedLock
        public void read() {}
    }
}
