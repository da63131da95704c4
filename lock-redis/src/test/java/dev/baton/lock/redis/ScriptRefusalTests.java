package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.harness.RedisErrorException;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a script announces no grant if Redis refuses writes, as a replica or for lack of memory, because Redis
 * rolls no script back and a message cannot be recalled.
 */
class ScriptRefusalTests {

    private final TestRedis redis = TestRedis.start();

    private LockRow row;

    @BeforeEach
    void heldByAWithAWaiter() {
        row = new LockRow(redis);
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
    }

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void endOnAReplicaAnnouncesNoGrant() {
        assertAnnouncesNothing("READONLY", () -> redis.command("REPLICAOF", "127.0.0.1", "1"), () -> row.end("a:1"));
    }

    @Test
    void doubtfulEndOnAReplicaAnnouncesNoGrant() {
        assertAnnouncesNothing(
                "READONLY", () -> redis.command("REPLICAOF", "127.0.0.1", "1"), () -> row.end("a:1", 5_000));
    }

    @Test
    void endOnAReplicaGrantsNoWaiterOfItsProcess() {
        row.end("b:1");
        row.acquire(waits("a:2"));
        Map<String, String> before = row.lock();
        String fence = row.fence();
        redis.command("REPLICAOF", "127.0.0.1", "1");
        assertRefused("READONLY", () -> row.end("a:1"));
        assertThat(row.lock()).isEqualTo(before);
        assertThat(row.fence()).isEqualTo(fence);
        assertThat(row.queue()).containsExactly("a:2");
    }

    @Test
    void endWithoutMemoryHandsOverToAWaiterOfItsProcess() {
        row.end("b:1");
        row.acquire(waits("a:2"));
        redis.command("CONFIG", "SET", "maxmemory", "1");
        row.end("a:1");
        assertThat(row.grantedToken()).isEqualTo(row.fence());
        assertThat(row.holder()).isEqualTo("a:2");
        assertThat(row.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void extendOnAReplicaChangesNothing() {
        row.end("b:1");
        redis.command("PEXPIRE", LOCK, "20000");
        String fence = row.fence();
        redis.command("REPLICAOF", "127.0.0.1", "1");
        assertRefused("READONLY", () -> ExtendScriptTests.extend(row, "a:1", 90_000, 32));
        assertThat(redis.ttl(LOCK)).isLessThanOrEqualTo(20_000);
        assertThat(row.fence()).isEqualTo(fence);
    }

    @Test
    void extendWithoutMemoryIsAllOrNothing() {
        row.end("b:1");
        redis.command("PEXPIRE", LOCK, "20000");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        String token = (String) ExtendScriptTests.extend(row, "a:1", 90_000, 32).get(1);
        assertThat(redis.ttl(LOCK)).isBetween(80_000L, 90_000L);
        String fence = row.fence();
        assertThat(fence).isEqualTo("" + (Long.parseLong(token) + 32));
        assertRefused("OOM", () -> ExtendScriptTests.extend(row, "a:1", 10_000, 32));
        assertThat(row.fence()).isEqualTo(fence);
    }

    private static void assertRefused(String error, ThrowingCallable script) {
        assertThatExceptionOfType(RedisErrorException.class).isThrownBy(script).withMessageContaining(error);
    }

    @Test
    void acquireOnAReplicaAnnouncesNoGrant() {
        row.expire();
        assertAnnouncesNothing(
                "READONLY", () -> redis.command("REPLICAOF", "127.0.0.1", "1"), () -> row.acquire(tries("c:1")));
    }

    @Test
    void endWithoutMemoryStillHandsOver() {
        redis.command("CONFIG", "SET", "maxmemory", "1");
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void doubtfulEndWithoutMemoryStillHandsOver() {
        redis.command("CONFIG", "SET", "maxmemory", "1");
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1", 5_000);
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.acquire(tries("a:1")).answers()).containsExactly("over");
    }

    @Test
    void acquireWithoutMemoryLeavesEverythingAsItWas() {
        assertAnnouncesNothing(
                "OOM", () -> redis.command("CONFIG", "SET", "maxmemory", "1"), () -> row.acquire(waits("c:1")));
        row.expire();
        Map<String, String> waiting = row.waiting();
        assertThatExceptionOfType(RedisErrorException.class).isThrownBy(() -> row.acquire(waits("c:1")));
        assertThat(row.waiting()).isEqualTo(waiting);
        assertThat(row.queue()).containsExactly("b:1");
        assertThat(redis.keys()).doesNotContain(LOCK);
    }

    @Test
    void freeLockIsNotPartlyAcquiredWithoutMemory() {
        redis.command("FLUSHALL");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        assertThatExceptionOfType(RedisErrorException.class)
                .isThrownBy(() -> row.acquire(tries("c:1")))
                .satisfies(error -> assertThat(error).hasMessageContaining("OOM"));
        assertThat(redis.keys()).isEmpty();
    }

    private void assertAnnouncesNothing(String error, Runnable trouble, ThrowingCallable script) {
        Map<String, String> before = row.lock();
        String fence = row.fence();
        try (Inbox b = row.subscribe("b:1")) {
            trouble.run();
            assertRefused(error, script);
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.lock()).isEqualTo(before);
        assertThat(redis.command("GET", FENCE)).isEqualTo(fence);
        assertThat(row.queue()).containsExactly("b:1");
    }
}
