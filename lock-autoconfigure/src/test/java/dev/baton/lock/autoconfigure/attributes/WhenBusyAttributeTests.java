package dev.baton.lock.autoconfigure.attributes;

import static dev.baton.lock.WhenBusy.FAIL;
import static dev.baton.lock.WhenBusy.SKIP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests {@code whenBusy}: throw or return nothing if the lock is not granted in time. */
class WhenBusyAttributeTests extends AttributeFixture {

    WhenBusyAttributeTests() {
        super(List.of(), OnMethods.class, OnClass.class, InDefaults.class);
    }

    @Test
    void skipReturnsNothing() {
        OnMethods methods = bean(OnMethods.class);
        try (Lease held = hold("a")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(methods.text()).isNull();
            assertThat(methods.optional()).isEmpty();
            assertThat(methods.number()).isEmpty();
            methods.nothing();
            assertThat(methods.runs()).hasValue(0);
        }
        assertThat(methods.text()).isEqualTo("ran");
        assertThat(methods.optional()).hasValue("ran");
        assertThat(methods.number()).hasValue(1);
        methods.nothing();
        assertThat(methods.runs()).hasValue(4);
    }

    @Test
    void failThrows() {
        try (Lease held = hold("a")) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(bean(OnMethods.class)::failing);
        }
    }

    @Test
    void nearestValueWins() {
        try (Lease onClass = hold("b");
                Lease inDefaults = hold("c")) {
            assertThat(onClass.isHeld() && inDefaults.isHeld()).isTrue();
            assertThat(bean(OnClass.class).inherited()).isNull();
            assertBusy(bean(OnClass.class)::own);
            assertThat(bean(InDefaults.class).inherited()).isNull();
            assertBusy(bean(InDefaults.class)::own);
        }
    }

    static class OnMethods {
        private final AtomicInteger runs = new AtomicInteger();

        AtomicInteger runs() {
            return runs;
        }

        @DistributedLock(scope = "a", whenBusy = SKIP)
        String text() {
            runs.incrementAndGet();
            return "ran";
        }

        @DistributedLock(scope = "a", whenBusy = SKIP)
        Optional<String> optional() {
            runs.incrementAndGet();
            return Optional.of("ran");
        }

        @DistributedLock(scope = "a", whenBusy = SKIP)
        OptionalInt number() {
            runs.incrementAndGet();
            return OptionalInt.of(1);
        }

        @DistributedLock(scope = "a", whenBusy = SKIP)
        void nothing() {
            runs.incrementAndGet();
        }

        @DistributedLock(scope = "a", whenBusy = FAIL)
        void failing() {}
    }

    @DistributedLock(scope = "b", whenBusy = SKIP)
    static class OnClass {
        public String inherited() {
            return "ran";
        }

        @DistributedLock(whenBusy = FAIL)
        public String own() {
            return "ran";
        }
    }

    @LockDefaults(scope = "c", whenBusy = SKIP)
    static class InDefaults {
        @DistributedLock
        String inherited() {
            return "ran";
        }

        @DistributedLock(whenBusy = FAIL)
        String own() {
            return "ran";
        }
    }
}
