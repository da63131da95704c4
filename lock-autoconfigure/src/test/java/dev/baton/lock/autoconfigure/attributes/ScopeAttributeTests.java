package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.baton.lock.Lease;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@code scope} and {@code value}: the kind of object that is locked. */
class ScopeAttributeTests extends AttributeFixture {

    ScopeAttributeTests() {
        super(List.of("kind=server", "spelled=#{1 + 1}"), OnMethods.class, OnClass.class, InDefaults.class);
    }

    @Test
    void methodsOfTheSameScopeExcludeEachOther() {
        try (Lease held = hold("invoice")) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(bean(OnMethods.class)::named);
            assertBusy(bean(OnMethods.class)::byValue);
            assertThat(bean(OnMethods.class).placeholder()).isEqualTo("server_access.global");
        }
        assertThat(bean(OnMethods.class).named()).isEqualTo("invoice.global");
        assertThat(bean(OnMethods.class).byValue()).isEqualTo("invoice.global");
    }

    @Test
    void placeholderIsReplaced() {
        try (Lease held = hold("server_access")) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(bean(OnMethods.class)::placeholder);
        }
    }

    @Test
    void placeholdersAreReplacedAndSpelIsNot() {
        assertSpelIsRefused(Spel.class);
        assertSpelIsRefused(SpelOfAProperty.class);
    }

    private void assertSpelIsRefused(Class<?> bean) {
        assertThatException()
                .isThrownBy(() -> application(bean).close())
                .withStackTraceContaining("attribute 'scope': scope '#{1 + 1}' contains a brace");
    }

    @Test
    void scopeIsClassAndMethodByDefault() {
        String name = OnMethods.class.getName();
        assertThat(bean(OnMethods.class).unnamed()).isEqualTo(name + ".unnamed.global");
        assertThat(bean(OnMethods.class).overloaded(1)).isEqualTo(name + ".overloaded(int).global");
        assertThat(bean(OnMethods.class).overloaded("a")).isEqualTo(name + ".overloaded(java.lang.String).global");
    }

    @Test
    void scopeOfTheClassIsOneLockForItsMethods() {
        assertThat(bean(OnClass.class).one()).isEqualTo("report.global");
        assertThat(bean(OnClass.class).own()).isEqualTo("own.global");
        try (Lease held = hold("report")) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(bean(OnClass.class)::one);
            assertBusy(bean(OnClass.class)::two);
            assertThat(bean(OnClass.class).own()).isEqualTo("own.global");
        }
    }

    @Test
    void scopeOfTheDefaultsAppliesToLocksWithoutAScope() {
        assertThat(bean(InDefaults.class).inherited()).isEqualTo("server_defaults.global");
        assertThat(bean(InDefaults.class).own()).isEqualTo("own.global");
    }

    static class OnMethods {
        @DistributedLock(scope = "invoice")
        String named() {
            return lease().names().get(0);
        }

        @DistributedLock("invoice")
        String byValue() {
            return lease().names().get(0);
        }

        @DistributedLock("${kind}_access")
        String placeholder() {
            return lease().names().get(0);
        }

        @DistributedLock
        String unnamed() {
            return lease().names().get(0);
        }

        @DistributedLock
        String overloaded(int number) {
            return lease().names().get(0);
        }

        @DistributedLock
        String overloaded(String text) {
            return lease().names().get(0);
        }
    }

    static class Spel {
        @DistributedLock("#{1 + 1}")
        void run() {}
    }

    static class SpelOfAProperty {
        @DistributedLock("${spelled}")
        void run() {}
    }

    @DistributedLock("report")
    static class OnClass {
        public String one() {
            return lease().names().get(0);
        }

        public String two() {
            return lease().names().get(0);
        }

        @DistributedLock("own")
        public String own() {
            return lease().names().get(0);
        }
    }

    @LockDefaults(scope = "${kind}_defaults")
    static class InDefaults {
        @DistributedLock
        String inherited() {
            return lease().names().get(0);
        }

        @DistributedLock("own")
        String own() {
            return lease().names().get(0);
        }
    }
}
