package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.LEASE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the replies and writes of renew.lua. */
@Tag("scripts")
class RenewScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void leaseOfTheHolderIsExtendedAndNothingElseChanges() {
        row.acquire(waits("a:1"));
        redis.command("PEXPIRE", LOCK, "500");
        Map<String, String> before = row.lock();
        assertThat(row.renew("a:1", 30_000)).isEqualTo(1L);
        assertThat(redis.ttl(LOCK)).isBetween(29_000L, 30_000L);
        assertThat(row.lock()).isEqualTo(before);
    }

    @Test
    void leaseIsNeverShortened() {
        row.acquire(waits("a:1"));
        assertThat(row.renew("a:1", 1_000)).isEqualTo(1L);
        assertThat(redis.ttl(LOCK)).isGreaterThan(LEASE - 1_000);
    }

    @Test
    void leaseOfZeroOnlyAsks() {
        row.acquire(waits("a:1"));
        redis.command("PEXPIRE", LOCK, "5000");
        assertThat(row.renew("a:1", 0)).isEqualTo(1L);
        assertThat(redis.ttl(LOCK)).isBetween(4_000L, 5_000L);
        assertThat(row.renew("b:1", 0)).isEqualTo(0L);
    }

    @Test
    void leaseOfZeroSetsNoMissingExpiry() {
        row.acquire(waits("a:1"));
        redis.command("PERSIST", LOCK);
        assertThat(row.renew("a:1", 0)).isEqualTo(1L);
        assertThat(redis.ttl(LOCK)).isEqualTo(-1);
    }

    @Test
    void missingExpiryIsSet() {
        row.acquire(waits("a:1"));
        redis.command("PERSIST", LOCK);
        row.renew("a:1", 30_000);
        assertThat(redis.ttl(LOCK)).isBetween(29_000L, 30_000L);
    }

    @Test
    void lockOfAnotherRequestIsUnchanged() {
        row.acquire(waits("a:1"));
        redis.command("PEXPIRE", LOCK, "5000");
        assertThat(row.renew("a:2", 30_000)).isEqualTo(0L);
        assertThat(redis.ttl(LOCK)).isBetween(4_000L, 5_000L);
    }

    @Test
    void waiterIsNoHolder() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        assertThat(row.renew("b:1", 30_000)).isEqualTo(0L);
    }

    @Test
    void freeOrExpiredLockIsNotRevived() {
        assertThat(row.renew("a:1", 30_000)).isEqualTo(0L);
        row.acquire(waits("a:1"));
        row.expire();
        assertThat(row.renew("a:1", 30_000)).isEqualTo(0L);
        assertThat(row.lock()).isEmpty();
    }

    @Test
    void unknownModeIsNotRenewedEvenUnderTheSameId() {
        redis.command("SET", LOCK, "2 q a:1 3 5 owner label");
        assertThat(row.renew("a:1", 30_000)).isEqualTo(0L);
        assertThat(redis.ttl(LOCK)).isEqualTo(-1);
    }

    @Test
    void similarIdIsAnotherRequest() {
        row.acquire(waits("a:12"));
        assertThat(row.renew("a:1", 90_000)).isEqualTo(0L);
        assertThat(row.renew("a:123", 90_000)).isEqualTo(0L);
        assertThat(redis.ttl(LOCK)).isLessThanOrEqualTo(LEASE);
    }

    @Test
    void answersFollowTheOrderOfTheLeases() {
        String other = "lock:lock:{orders.2}";
        row.acquire(waits("a:1"));
        redis.command("SET", other, "2 x a:2 3 5 owner label");
        Object answers = row.renewAll(
                List.of(LOCK, other, LOCK, "lock:lock:{free}"),
                List.of("a:1", "1", "70000", "a:2", "1", "80000", "b:1", "1", "90000", "a:3", "1", "90000"));
        assertThat(answers).isEqualTo(List.of(1L, 1L, 0L, 0L));
        assertThat(redis.ttl(LOCK)).isBetween(69_000L, 70_000L);
        assertThat(redis.ttl(other)).isBetween(79_000L, 80_000L);
        assertThat(redis.keys()).doesNotContain("lock:lock:{free}");
    }
}
