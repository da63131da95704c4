package dev.baton.lock.redis.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.store.LockName;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentKeysTests {

    private final RedisKeys keys = new RedisKeys("lock");
    private final RecentKeys recent = new RecentKeys(keys, KeyPlacement.ONE_SERVER);

    @Test
    void keysOfTheSameLockAreCreatedOnce() {
        assertThat(recent.of(name("a"))).isSameAs(recent.of(name("a")));
    }

    @Test
    void moreLocksThanPlacesHaveTheirOwnKeys() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 5_000; i++) {
                assertAreItsOwn(name("invoice." + i));
            }
        }
    }

    @Test
    void namesWithTheSameHashHaveTheirOwnKeys() {
        // two names with the same hash, and so in the same place
        assertAreItsOwn(name("Aa"));
        assertAreItsOwn(name("BB"));
        assertAreItsOwn(new LockName("x", "a"));
        assertAreItsOwn(new LockName("", "a"));
        assertAreItsOwn(new LockName("x", "a"));
    }

    @Test
    void keysOfALongNameAreNotKept() {
        LockName lengthy = name("n".repeat(300));

        assertThat(recent.of(lengthy))
                .usingRecursiveComparison()
                .isEqualTo(recent.of(lengthy))
                .isNotSameAs(recent.of(lengthy));
        assertAreItsOwn(lengthy);
    }

    @Test
    void locksOfAClusterHaveTheFenceOfTheirSlot() {
        RecentKeys inCluster = new RecentKeys(keys, KeyPlacement.CLUSTER);
        for (LockName name : List.of(name("a"), name("b"))) {
            assertThat(inCluster.of(name).fence())
                    .asString(UTF_8)
                    .isEqualTo(KeyPlacement.CLUSTER.fence(keys, name))
                    .isNotEqualTo(keys.fence());
        }
    }

    private void assertAreItsOwn(LockName name) {
        RecentKeys.Keys made = recent.of(name);

        assertThat(made.lock()).asString(UTF_8).isEqualTo(keys.lock(name));
        assertThat(made.queue()).asString(UTF_8).isEqualTo(keys.queue(name));
        assertThat(made.waiting()).asString(UTF_8).isEqualTo(keys.waiting(name));
        assertThat(made.fence()).asString(UTF_8).isEqualTo(keys.fence());
        assertThat(made.over("i:1".getBytes(UTF_8))).asString(UTF_8).isEqualTo(keys.over(name, "i:1"));
    }

    private static LockName name(String name) {
        return new LockName("", name);
    }
}
