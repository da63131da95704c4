package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LEASE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Request;
import dev.baton.lock.redis.script.LuaScript;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the replies and writes of extend.lua. */
@Tag("scripts")
class ExtendScriptTests {

    private static final long RESERVE = 1_000;

    private static final List<?> WANTED = List.of("wanted", "");
    private static final List<?> NOTHING = List.of("nothing", "");

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    /** Empties Redis, except for an old token. */
    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
        redis.command("SET", FENCE, "1");
    }

    /** Extends a holder without competitors. Returns the role of the request, and the new token. */
    static List<?> extend(LockRow row, String id, long lease, long reserve) {
        return row.call(LuaScript.EXTEND, List.of(LOCK, QUEUE, FENCE), List.of(id, "" + lease, "" + reserve));
    }

    private long extended(String id, long lease, long reserve) {
        List<?> reply = extend(row, id, lease, reserve);
        assertThat(reply.get(0)).isEqualTo("extended");
        return Long.parseLong((String) reply.get(1));
    }

    @Test
    void holderWithoutCompetitorsIsExtendedAndItsLockIsUnchanged() {
        row.acquire(waits("a:1"));
        redis.command("PEXPIRE", LOCK, "500");
        Map<String, String> before = row.lock();
        extended("a:1", 30_000, 32);
        assertThat(redis.ttl(LOCK)).isBetween(29_000L, 30_000L);
        assertThat(row.lock()).isEqualTo(before);
        assertThat(redis.keys()).containsExactly(FENCE, LOCK);
        assertThat(redis.ttl(FENCE)).isEqualTo(-1);
    }

    @Test
    void leaseIsNeverShortened() {
        row.acquire(waits("a:1"));
        extended("a:1", 1_000, 32);
        assertThat(redis.ttl(LOCK)).isBetween(LEASE - 1_000, LEASE);
    }

    @Test
    void missingExpiryIsSet() {
        row.acquire(waits("a:1"));
        redis.command("PERSIST", LOCK);
        extended("a:1", 30_000, 32);
        assertThat(redis.ttl(LOCK)).isBetween(29_000L, 30_000L);
    }

    @Test
    void tokenIsTheTimeAndTheTokensAfterItAreReserved() {
        long first = Long.parseLong(row.acquire(waits("a:1")).token());
        long before = row.time();
        long token = extended("a:1", LEASE, RESERVE);
        assertThat(token).isGreaterThan(first).isBetween(before, row.time() + 1).isEven();
        assertThat(row.fence()).isEqualTo("" + (token + RESERVE));
        long second = extended("a:1", LEASE, 3);
        assertThat(second)
                .as("greater, like the token of a grant")
                .isGreaterThan(token + RESERVE)
                .isEven();
        row.end("a:1");
        assertThat(Long.parseLong(row.acquire(waits("b:1")).token())).isGreaterThan(second + 3);
    }

    @Test
    void laterWaiterIsGrantedATokenAfterTheReservedTokens() {
        row.acquire(waits("a:1"));
        long token = extended("a:1", LEASE, RESERVE);
        row.acquire(waits("a:2"));
        row.end("a:1");
        assertThat(Long.parseLong(String.valueOf(row.grantedToken()))).isGreaterThan(token + RESERVE);
    }

    @Test
    void lockIsNotExtendedWithTokensFarAheadOfTheClock() {
        row.acquire(waits("a:1"));
        redis.command("SET", FENCE, "9000000000000001");
        assertChangesNothing("a:1", WANTED);
        redis.command("DEL", FENCE);
        assertChangesNothing("a:1", WANTED);
    }

    @Test
    void extensionSendsNoMessageAndReadsNoQueue() {
        row.acquire(waits("a:1"));
        redis.resetStats();
        extended("a:1", LEASE, 32);
        assertThat(redis.commandStats()).doesNotContainKeys("publish", "pubsub", "pubsub|numsub", "zrange");
    }

    @ParameterizedTest
    @ValueSource(strings = {"b:1", "a:2"})
    void lockWithAWaiterIsNotExtended(String waiter) {
        for (Request request : List.of(waits(waiter), polls(waiter).patience(30_000))) {
            empty();
            row.acquire(waits("a:1"));
            row.acquire(request);
            assertChangesNothing("a:1", WANTED);
        }
    }

    @Test
    void lockWithAWaiterForSeveralLocksIsNotExtended() {
        row.acquire(waits("a:1"));
        new SeveralLocks(redis).acquire(waits("b:1"), "other", "orders.1");
        assertChangesNothing("a:1", WANTED);
    }

    @Test
    void lockOfAnotherHolderIsUnchanged() {
        row.acquire(waits("a:1"));
        assertChangesNothing("a:2", NOTHING);
        row.acquire(waits("a:2"));
        assertChangesNothing("a:2", NOTHING);
    }

    @Test
    void freeOrExpiredLockIsNotRevived() {
        assertChangesNothing("a:1", NOTHING);
        assertThat(redis.keys()).containsExactly(FENCE);
        row.acquire(waits("a:1"));
        row.expire();
        assertChangesNothing("a:1", NOTHING);
    }

    @Test
    void freeLockWithWaitersIsReportedAsLost() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.expire();
        assertChangesNothing("a:1", NOTHING);
    }

    @Test
    void unknownModeIsNotExtendedEvenUnderTheSameId() {
        row.acquire(waits("a:1"));
        row.writeMode("q");
        assertChangesNothing("a:1", NOTHING);
        row.writeLock("3 x a:1 3 5 owner label");
        assertChangesNothing("a:1", NOTHING);
    }

    @Test
    void keptLockIsNotExtended() {
        row.acquire(waits("a:1"));
        row.end("a:1", 0, 20_000);
        assertChangesNothing("a:1", NOTHING);
    }

    private void assertChangesNothing(String id, List<?> reply) {
        Map<String, Object> before = state();
        Map<String, Long> expiries = expiries();
        assertThat(extend(row, id, 2 * LEASE, 32)).isEqualTo(reply);
        assertThat(state()).isEqualTo(before);
        expiries.forEach((key, expiry) ->
                assertThat(redis.ttl(key)).as(key).isBetween(expiry < 0 ? expiry : expiry - 2_000, expiry));
    }

    private Map<String, Object> state() {
        return Map.of(
                "keys",
                redis.keys(),
                "lock",
                row.lock(),
                "queue",
                String.valueOf(redis.command("ZRANGE", QUEUE, "0", "-1", "WITHSCORES")),
                WAIT,
                row.waiting(),
                FENCE,
                row.fence());
    }

    private Map<String, Long> expiries() {
        Map<String, Long> expiries = new TreeMap<>();
        redis.keys().forEach(key -> expiries.put(key, redis.ttl(key)));
        return expiries;
    }
}
