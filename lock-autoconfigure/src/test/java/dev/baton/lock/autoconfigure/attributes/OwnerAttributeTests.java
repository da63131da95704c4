package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Tests {@code owner}: the owner of a lock instead of the thread. */
class OwnerAttributeTests extends AttributeFixture {

    OwnerAttributeTests() {
        super(List.of(), OnMethods.class, OnClass.class, InDefaults.class);
    }

    @Test
    void callsOfTheSameOwnerShareTheLock() throws Exception {
        OnMethods methods = bean(OnMethods.class);
        methods.close("conn-17", () -> {
            assertThat(get(inBackground(() -> methods.close("conn-17", () -> "in too"))))
                    .isEqualTo("in too");
            assertBusy(() -> methods.close("conn-18", () -> "in too"));
            return "done";
        });
        assertThat(methods.close("conn-18", () -> "in now")).isEqualTo("in now");
    }

    @Test
    void threadIsTheOwnerByDefault() throws Exception {
        OnMethods methods = bean(OnMethods.class);
        methods.byThread(() -> {
            assertThat(methods.byThread(() -> "in too")).isEqualTo("in too");
            assertThat(get(inBackground(() -> {
                        assertBusy(() -> methods.byThread(() -> "in too"));
                        return "kept out";
                    })))
                    .isEqualTo("kept out");
            return "done";
        });
    }

    @Test
    void leaseContainsTheOwner() throws Exception {
        assertThat(bean(OnMethods.class).close("conn-17", () -> lease().owner()))
                .contains("conn-17");
    }

    @Test
    void blankOwnerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bean(OnMethods.class).close(" ", () -> "in"))
                .withMessageContaining("#connection");
    }

    @Test
    void ownerOfTheClassAndOfTheDefaultsIsInheritedAndOverridden() throws Exception {
        assertThat(bean(OnClass.class).inherited("conn-17")).contains("conn-17");
        assertThat(bean(OnClass.class).own("conn-17")).contains("own-conn-17");
        assertThat(bean(InDefaults.class).inherited("conn-17")).contains("conn-17");
        assertThat(bean(InDefaults.class).own("conn-17")).contains("own-conn-17");
    }

    static class OnMethods {
        @DistributedLock(scope = "address", owner = "#connection")
        String close(String connection, Callable<String> work) throws Exception {
            return work.call();
        }

        @DistributedLock("address")
        String byThread(Callable<String> work) throws Exception {
            return work.call();
        }
    }

    @DistributedLock(scope = "b", owner = "#connection")
    static class OnClass {
        public String inherited(String connection) {
            return lease().owner();
        }

        @DistributedLock(owner = "'own-' + #connection")
        public String own(String connection) {
            return lease().owner();
        }
    }

    @LockDefaults(scope = "c", owner = "#connection")
    static class InDefaults {
        @DistributedLock
        String inherited(String connection) {
            return lease().owner();
        }

        @DistributedLock(owner = "'own-' + #connection")
        String own(String connection) {
            return lease().owner();
        }
    }
}
