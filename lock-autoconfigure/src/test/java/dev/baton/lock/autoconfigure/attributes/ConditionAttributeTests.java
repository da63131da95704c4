package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import dev.baton.lock.interceptor.LockDefinitionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.expression.spel.SpelParseException;
import org.springframework.stereotype.Component;

/** Tests {@code condition}: whether the lock is acquired at all. */
class ConditionAttributeTests extends AttributeFixture {

    ConditionAttributeTests() {
        super(List.of("never=false"), OnMethods.class, OnClass.class, InDefaults.class, Mode.class);
    }

    @Test
    void falseRunsWithoutTheLockWhileTheLockIsBusy() {
        try (Lease held = hold("a")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(bean(OnMethods.class).unlessDry(true)).isFalse();
            assertBusy(() -> bean(OnMethods.class).unlessDry(false));
        }
        assertThat(bean(OnMethods.class).unlessDry(false)).isTrue();
    }

    @Test
    void conditionMayUseBeans() {
        bean(Mode.class).maintenance = true;
        assertThat(bean(OnMethods.class).byBean()).isFalse();
        bean(Mode.class).maintenance = false;
        assertThat(bean(OnMethods.class).byBean()).isTrue();
    }

    @Test
    void conditionOfTheClassAndOfTheDefaultsIsInheritedAndOverridden() {
        assertThat(bean(OnClass.class).inherited(true)).isFalse();
        assertThat(bean(OnClass.class).inherited(false)).isTrue();
        assertThat(bean(OnClass.class).own(true)).isTrue();
        assertThat(bean(InDefaults.class).inherited(true)).isFalse();
        assertThat(bean(InDefaults.class).inherited(false)).isTrue();
        assertThat(bean(InDefaults.class).own(true)).isTrue();
    }

    @Test
    void placeholdersAreNotReplacedInSpel() {
        assertThatException()
                .isThrownBy(() -> application(Placeholder.class).close())
                .withRootCauseInstanceOf(SpelParseException.class)
                .withStackTraceContaining(LockDefinitionException.class.getName())
                .withStackTraceContaining("attribute 'condition': '${never}' is not a SpEL expression");
    }

    private static boolean isLocked() {
        return LockContext.findLease().isPresent();
    }

    static class OnMethods {
        @DistributedLock(scope = "a", condition = "!#dryRun")
        boolean unlessDry(boolean dryRun) {
            return isLocked();
        }

        @DistributedLock(scope = "a", condition = "!@mode.maintenance")
        boolean byBean() {
            return isLocked();
        }
    }

    @DistributedLock(scope = "b", condition = "!#dryRun")
    static class OnClass {
        public boolean inherited(boolean dryRun) {
            return isLocked();
        }

        @DistributedLock(condition = "true")
        public boolean own(boolean dryRun) {
            return isLocked();
        }
    }

    @LockDefaults(scope = "c", condition = "!#dryRun")
    static class InDefaults {
        @DistributedLock
        boolean inherited(boolean dryRun) {
            return isLocked();
        }

        @DistributedLock(condition = "#dryRun")
        boolean own(boolean dryRun) {
            return isLocked();
        }
    }

    static class Placeholder {
        @DistributedLock(condition = "${never}")
        public void close() {}
    }

    @Component("mode")
    static class Mode {
        private volatile boolean maintenance;

        public boolean isMaintenance() {
            return maintenance;
        }
    }
}
