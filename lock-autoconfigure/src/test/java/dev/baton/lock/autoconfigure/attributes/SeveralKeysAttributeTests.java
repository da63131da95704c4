package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests a collection as {@code key}: one lock per element, all or none. */
class SeveralKeysAttributeTests extends AttributeFixture {

    SeveralKeysAttributeTests() {
        super(List.of(), Transfers.class, OnClass.class, InDefaults.class);
    }

    @Test
    void onlyBothAccountsAreLocked() throws Exception {
        assertThat(bean(Transfers.class).transfer(7, 3, () -> {
                    assertThat(other().tryAcquire(LockRequest.of("account", 7))).isEmpty();
                    assertThat(other().tryAcquire(LockRequest.of("account", 3))).isEmpty();
                    other().executeWithoutResult("account", 5, lease -> {});
                    return "moved";
                }))
                .isEqualTo("moved");
    }

    @Test
    void noLockIsAcquiredWhileOneIsBusy() {
        try (Lease held = hold("account", 3)) {
            assertThat(held.isHeld()).isTrue();
            assertBusy(() -> bean(Transfers.class).transfer(7, 3, () -> "moved"));
            assertThat(other().isLocked(LockRequest.of("account", 7))).isFalse();
        }
    }

    @Test
    void oppositeOrdersDoNotDeadlock() throws Exception {
        Future<Integer> there = inBackground(() -> move(7, 3));
        Future<Integer> back = inBackground(() -> move(3, 7));
        assertThat(get(there) + get(back)).isEqualTo(40);
    }

    private int move(long from, long to) throws Exception {
        int moved = 0;
        for (int i = 0; i < 20; i++) {
            moved += bean(Transfers.class).waiting(from, to);
        }
        return moved;
    }

    @Test
    void collectionsAndArraysMayBeCombinedWithOtherParts() {
        assertThat(bean(Transfers.class).all("acme", List.of(1L, 2L)))
                .containsExactlyInAnyOrder("account.acme:1", "account.acme:2");
        assertThat(bean(Transfers.class).each("b", "a")).containsExactlyInAnyOrder("account.a", "account.b");
    }

    @Test
    void emptyCollectionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bean(Transfers.class).all("acme", List.of()))
                .withMessageContaining("#ids");
    }

    @Test
    void keysOfTheClassAndOfTheDefaultsAreInherited() {
        assertThat(bean(OnClass.class).close(Set.of(1, 2))).containsExactlyInAnyOrder("room.1", "room.2");
        assertThat(bean(InDefaults.class).close(Set.of(1, 2))).containsExactlyInAnyOrder("hall.1", "hall.2");
    }

    static class Transfers {
        @DistributedLock(scope = "account", key = "{#from, #to}")
        String transfer(long from, long to, Callable<String> work) throws Exception {
            return work.call();
        }

        @DistributedLock(scope = "account", key = "{#from, #to}", waitTime = 20)
        int waiting(long from, long to) {
            return lease().isHeld() ? 1 : 0;
        }

        @DistributedLock(
                scope = "account",
                key = {"#tenant", "#ids"})
        List<String> all(String tenant, List<Long> ids) {
            return lease().names();
        }

        @DistributedLock(scope = "account", key = "#ids")
        List<String> each(String... ids) {
            return lease().names();
        }
    }

    @DistributedLock(scope = "room", key = "#ids")
    static class OnClass {
        public List<String> close(Set<Integer> ids) {
            return lease().names();
        }
    }

    @LockDefaults(scope = "hall", key = "#ids")
    static class InDefaults {
        @DistributedLock
        List<String> close(Set<Integer> ids) {
            return lease().names();
        }
    }
}
