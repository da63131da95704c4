package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.harness.RedisErrorException;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the replies, messages and writes of force_release.lua. */
@Tag("scripts")
class ForceReleaseScriptTests {

    private static final List<?> FREE = List.of("free", List.of());

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void holderIsNotifiedAndTheLockIsFree() {
        String token = row.acquire(waits("a:x:1").lease(50_000)).token();
        row.awaitTime(row.time() + 20_000);
        try (Inbox inbox = row.subscribe("a:x:1")) {
            List<?> reply = row.forceRelease();
            assertThat(reply.get(0)).isEqualTo("taken");
            List<?> holder = (List<?>) reply.get(1);
            assertThat(holder.subList(0, 4))
                    .isEqualTo(List.of(
                            "a:x:1",
                            token,
                            waits("a:x:1").owner(),
                            waits("a:x:1").label()));
            assertThat((Long) holder.get(4)).isBetween(20L, 5_000L);
            assertThat((Long) holder.get(5)).isBetween(45_000L, 49_980L);
            assertThat(inbox.messages()).containsExactly("revoke 1 a:x:1 " + token + " " + LOCK);
        }
        assertThat(redis.keys()).containsExactly(FENCE);
        assertThat(row.forceRelease()).isEqualTo(FREE);
    }

    @Test
    void lockIsHandedToTheFirstWaiterAfterTheHolderIsNotified() {
        String first = row.acquire(waits("a:1")).token();
        row.acquire(waits("b:1").lease(7_000));
        row.acquire(waits("a:2"));
        try (Inbox a = row.subscribe("a:1");
                Inbox b = row.subscribe("b:1")) {
            row.forceRelease();
            String token = row.fence();
            assertThat(Long.parseLong(token)).isGreaterThan(Long.parseLong(first));
            assertThat(a.messages()).containsExactly("revoke 1 a:1 " + first + " " + LOCK);
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + token + " " + LOCK);
            assertThat(row.holder()).isEqualTo("b:1");
            assertThat(redis.ttl(LOCK)).as("the lease of the new holder").isBetween(6_000L, 7_000L);
            assertThat(row.queue()).containsExactly("a:2");
            assertThat(row.waiting()).containsOnlyKeys("a:", "b:", "run");
        }
    }

    @Test
    void queueIsNotReadWithoutWaiters() {
        row.acquire(waits("a:1"));
        redis.resetStats();
        row.forceRelease();
        assertThat(redis.commandStats()).containsEntry("publish", 1L).doesNotContainKeys("zrange", "pubsub");
    }

    @Test
    void processIsNotifiedOfItsLossBeforeItsGrant() {
        String first = row.acquire(waits("a:1")).token();
        row.acquire(waits("a:2"));
        try (Inbox a = row.subscribe("a:1")) {
            row.forceRelease();
            assertThat(a.messages())
                    .containsExactly("revoke 1 a:1 " + first + " " + LOCK, "grant 1 a:2 " + row.fence() + " " + LOCK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:2", "plain"})
    void anyWaiterIsNotifiedByAMessage(String waiter) {
        row.acquire(waits("a:1"));
        row.acquire(waits(waiter));
        row.forceRelease();
        assertThat(row.queue()).as("the waiter is deaf").containsExactly(waiter);
        try (Inbox inbox = row.subscribe(waiter)) {
            row.forceRelease();
            assertThat(inbox.messages()).containsExactly("grant 1 " + waiter + " " + row.fence() + " " + LOCK);
        }
    }

    @Test
    void deafWaiterKeepsItsPlaceAndTheLockIsFree() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.forceRelease();
        assertThat(row.lock()).isEmpty();
        assertThat(row.queue()).containsExactly("b:1");
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.forceRelease())
                    .as("like an end, the script hands a free lock over")
                    .isEqualTo(FREE);
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void deadWaitersAreRemoved() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1").patience(1));
        row.awaitTime(row.time() + 2_000);
        row.forceRelease();
        assertThat(row.keys()).containsExactly(FENCE);
    }

    @Test
    void endOfTheFormerHolderDoesNotAffectTheNextHolder() {
        row.acquire(waits("a:1"));
        row.forceRelease();
        row.acquire(waits("b:1"));
        assertThat(row.end("a:1").what()).isEqualTo("nothing");
        assertThat(row.renew("a:1", 1_000)).isEqualTo(0L);
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void unknownModeIsUnchanged() {
        row.acquire(waits("a:1"));
        row.writeMode("q");
        row.acquire(waits("b:1"));
        Map<String, String> before = row.lock();
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.forceRelease().get(0)).isEqualTo("unknown");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.lock()).isEqualTo(before);
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void holderWithAnIdOfNoProcessIsNotNotified() {
        row.acquire(waits("a:1"));
        row.writeLock("2 x  3 5 owner label");
        redis.resetStats();
        assertThat(row.forceRelease().get(0)).isEqualTo("taken");
        assertThat(redis.commandStats()).doesNotContainKey("publish");
        assertThat(row.lock()).isEmpty();
    }

    @Test
    void userWithoutPublishForceReleasesWithoutAMessage() {
        row.acquire(waits("a:1"));
        LockRow mute = row.as("mute", "~lock:*", "resetchannels", DocumentedCommands.rights());
        assertThat(mute.forceRelease().get(0)).isEqualTo("taken");
        assertThat(row.lock()).isEmpty();
    }

    @Test
    void noMessageIsSentIfRedisRefusesToWrite() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox a = row.subscribe("a:1")) {
            redis.command("CONFIG", "SET", "min-replicas-to-write", "1");
            try {
                assertThatExceptionOfType(RedisErrorException.class).isThrownBy(row::forceRelease);
            } finally {
                redis.command("CONFIG", "SET", "min-replicas-to-write", "0");
            }
            assertThat(a.messages()).isEmpty();
        }
        assertThat(row.holder()).isEqualTo("a:1");
    }
}
