package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@code namespace}: a separate part of Redis below the configured namespace. */
class NamespaceAttributeTests extends AttributeFixture {

    NamespaceAttributeTests() {
        super(List.of("shop=tudor"), OnMethods.class, OnClass.class, InDefaults.class);
    }

    @Test
    void equalNamesInTwoNamespacesAreTwoLocks() {
        try (Lease held = hold("order")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(bean(OnMethods.class).nested()).isEqualTo(namespace + ":shop:orders:lock:{order.global}");
            assertBusy(bean(OnMethods.class)::configured);
        }
    }

    @Test
    void equalNamesInTheSameNamespaceAreOneLock() {
        try (Lease held = other().withNamespace("tudor").acquire(LockRequest.of("order"))) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(bean(OnMethods.class)::placeholder);
            assertThat(bean(OnMethods.class).configured()).isEqualTo(namespace + ":lock:{order.global}");
        }
    }

    @Test
    void namespaceOfTheClassAndOfTheDefaultsIsInheritedAndOverridden() {
        assertThat(bean(OnClass.class).inherited()).isEqualTo(namespace + ":tudor:lock:{order.global}");
        assertThat(bean(OnClass.class).own()).isEqualTo(namespace + ":own:lock:{order.global}");
        assertThat(bean(InDefaults.class).inherited()).isEqualTo(namespace + ":tudor:lock:{order.global}");
        assertThat(bean(InDefaults.class).own()).isEqualTo(namespace + ":own:lock:{order.global}");
    }

    private static String key() {
        return lease().redisKeys().get(0);
    }

    static class OnMethods {
        @DistributedLock("order")
        String configured() {
            return key();
        }

        @DistributedLock(scope = "order", namespace = "shop:orders")
        String nested() {
            return key();
        }

        @DistributedLock(scope = "order", namespace = "${shop}")
        String placeholder() {
            return key();
        }
    }

    @DistributedLock(scope = "order", namespace = "tudor")
    static class OnClass {
        public String inherited() {
            return key();
        }

        @DistributedLock(namespace = "own")
        public String own() {
            return key();
        }
    }

    @LockDefaults(scope = "order", namespace = "${shop}")
    static class InDefaults {
        @DistributedLock
        String inherited() {
            return key();
        }

        @DistributedLock(namespace = "own")
        String own() {
            return key();
        }
    }
}
