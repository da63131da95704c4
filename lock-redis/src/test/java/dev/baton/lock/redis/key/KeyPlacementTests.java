package dev.baton.lock.redis.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.Slots;
import dev.baton.lock.store.LockName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests in which slot the keys of a lock are. */
class KeyPlacementTests {

    private static final int SLOTS = 16_384;
    private static final RedisKeys KEYS = new RedisKeys("shop:lock");

    private static LockName name(String name) {
        return new LockName("", name);
    }

    @Test
    void oneServerHasOneFence() {
        assertThat(KeyPlacement.ONE_SERVER.fence(KEYS, name("k.a"))).isEqualTo("shop:lock:fence");
        assertThat(KeyPlacement.ONE_SERVER.isTogether(KEYS, List.of(name("k.a"), name("k.b"))))
                .isTrue();
    }

    @Test
    void fenceIsInTheSlotOfItsLock() {
        for (LockName name : List.of(name("k.a"), name("k.{acme}1"), name("k.ü"), new LockName("eu", "k.a", true))) {
            String fence = KeyPlacement.CLUSTER.fence(KEYS, name);
            assertThat(fence).startsWith("shop:lock:fence:{");
            assertThat(Slots.of(fence)).isEqualTo(Slots.of(KEYS.lock(name)));
            assertThat(KeyPlacement.CLUSTER.slot(KEYS, name)).isEqualTo(Slots.of(KEYS.lock(name)));
        }
    }

    @Test
    void everySlotHasAFenceOfItsOwn() {
        Set<String> fences = new HashSet<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            String fence = KEYS.fence(slot);
            assertThat(Slots.of(fence)).isEqualTo(slot);
            fences.add(fence);
        }
        assertThat(fences).hasSize(SLOTS);
    }

    @Test
    void locksAreTogetherIfTheirSlotIsTheSame() {
        assertThat(KeyPlacement.CLUSTER.isTogether(KEYS, List.of(name("k.a")))).isTrue();
        assertThat(KeyPlacement.CLUSTER.isTogether(KEYS, List.of(name("k.{t}1"), name("x.{t}2"))))
                .isTrue();
        assertThat(KeyPlacement.CLUSTER.isTogether(KEYS, List.of(name("k.a"), name("k.b"))))
                .isFalse();
    }
}
