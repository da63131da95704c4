package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.Lease;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Component;

/** Tests {@code key}: which object is locked. */
class KeyAttributeTests extends AttributeFixture {

    KeyAttributeTests() {
        super(List.of("kind=server"), OnMethods.class, OnClass.class, InDefaults.class, Tenants.class);
    }

    @Test
    void callsWithTheSameKeyExcludeEachOther() {
        try (Lease held = hold("order", 42)) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(() -> bean(OnMethods.class).close(42));
            assertThat(bean(OnMethods.class).close(43)).isEqualTo("order.43");
        }
        assertThat(bean(OnMethods.class).close(42)).isEqualTo("order.42");
    }

    @Test
    void partsAreOneKey() {
        try (Lease held = hold("invoice", "acme", 7)) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(() -> bean(OnMethods.class).parts("acme", 7));
            assertThat(bean(OnMethods.class).parts("acme", 8)).isEqualTo("invoice.acme:8");
        }
    }

    @Test
    void positionsRootAndBeansMayBeUsed() {
        assertThat(bean(OnMethods.class).positions(1, 2)).isEqualTo("order.1:2:positions");
        assertThat(bean(OnMethods.class).ofBean(7)).isEqualTo("order.tenant-7");
    }

    @Test
    void argumentChangedByTheMethodDoesNotChangeTheRelease() {
        AtomicLong id = new AtomicLong(42);
        assertThat(bean(OnMethods.class).changes(id)).isEqualTo("order.42");
        assertThat(id).hasValue(43);
    }

    @Test
    void placeholdersAreNotReplacedInSpel() {
        assertThat(bean(OnMethods.class).literal()).contains("$").doesNotContain("server");
    }

    @Test
    void nullKeyIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bean(OnMethods.class).parts(null, 7))
                .withMessageContaining("#tenant");
    }

    @Test
    void keyOfTheClassAndOfTheDefaultsIsInherited() {
        assertThat(bean(OnClass.class).inherited(7)).isEqualTo("server.7");
        assertThat(bean(OnClass.class).own(7)).isEqualTo("server.own-7");
        assertThat(bean(InDefaults.class).inherited(7)).isEqualTo("disk.7");
        assertThat(bean(InDefaults.class).own(7)).isEqualTo("disk.own-7");
    }

    static class OnMethods {
        @DistributedLock(scope = "order", key = "#id")
        String close(long id) {
            return lease().names().get(0);
        }

        @DistributedLock(
                scope = "invoice",
                key = {"#tenant", "#id"})
        String parts(String tenant, long id) {
            return lease().names().get(0);
        }

        @DistributedLock(
                scope = "order",
                key = {"#p0", "#root.args[1]", "#root.method.name"})
        String positions(long a, long b) {
            return lease().names().get(0);
        }

        @DistributedLock(scope = "order", key = "@tenants.of(#id)")
        String ofBean(long id) {
            return lease().names().get(0);
        }

        @DistributedLock(scope = "order", key = "#id.get()")
        String changes(AtomicLong id) {
            id.incrementAndGet();
            return lease().names().get(0);
        }

        @DistributedLock(scope = "order", key = "'${kind}'")
        String literal() {
            return lease().names().get(0);
        }
    }

    @DistributedLock(scope = "server", key = "#id")
    static class OnClass {
        public String inherited(long id) {
            return lease().names().get(0);
        }

        @DistributedLock(key = "'own-' + #id")
        public String own(long id) {
            return lease().names().get(0);
        }
    }

    @LockDefaults(scope = "disk", key = "#id")
    static class InDefaults {
        @DistributedLock
        String inherited(long id) {
            return lease().names().get(0);
        }

        @DistributedLock(key = "'own-' + #id")
        String own(long id) {
            return lease().names().get(0);
        }
    }

    @Component("tenants")
    static class Tenants {
        public String of(long id) {
            return "tenant-" + id;
        }
    }
}
