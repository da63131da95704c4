package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the replies of inspect.lua and scan.lua, and that the scripts change nothing. */
@Tag("scripts")
class InspectScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void freeLockHasNeitherHolderNorWaiters() {
        List<?> reply = row.inspect(10);
        assertThat(reply.subList(0, 3)).isEqualTo(List.of(List.of(), 0L, List.of()));
        assertThat((Long) reply.get(3)).as("the time").isBetween(row.time() - 5_000_000, row.time());
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void holderIsNamedWithItsTimes() {
        String token = row.acquire(waits("a:1").lease(50_000)).token();
        row.awaitTime(row.time() + 20_000);
        List<?> holder = (List<?>) row.inspect(10).get(0);
        assertThat(holder.subList(0, 4))
                .isEqualTo(
                        List.of("a:1", token, waits("a:1").owner(), waits("a:1").label()));
        assertThat((Long) holder.get(4)).isBetween(20L, 5_000L);
        assertThat((Long) holder.get(5)).isBetween(45_000L, 49_980L);
    }

    @Test
    void leaseWithoutEndIsMinusOne() {
        row.acquire(waits("a:1"));
        redis.command("PERSIST", LOCK);
        assertThat(((List<?>) row.inspect(0).get(0)).get(5)).isEqualTo(-1L);
    }

    @Test
    void waitersAreListedByArrivalUpToTheLimitAndAllAreCounted() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(polls("c:1"), waits("c:2"));
        row.awaitTime(row.time() + 20_000);
        List<?> reply = row.inspect(2);
        assertThat(reply.get(1)).isEqualTo(3L);
        assertThat(reply.get(2))
                .isEqualTo(List.of(
                        waits("b:1").record(),
                        "%.0f".formatted(row.arrival("b:1")),
                        waits("c:1").record(),
                        "%.0f".formatted(row.arrival("c:1"))));
        assertThat((Long) reply.get(3) - (long) row.arrival("b:1")).isBetween(20_000L, 5_000_000L);
        assertThat(row.inspect(0).subList(1, 3)).isEqualTo(List.of(3L, List.of()));
        assertThat((List<?>) row.inspect(3).get(2)).hasSize(6);
    }

    @Test
    void foreignRecordIsCountedAndListed() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.replaceWaiter("b:1", "?");
        List<?> reply = row.inspect(10);
        assertThat(reply.get(1)).isEqualTo(1L);
        assertThat(((List<?>) reply.get(2)).get(0)).isEqualTo("?");
    }

    @Test
    void lockInAnotherModeIsShown() {
        row.acquire(waits("a:1"));
        row.writeMode("q");
        assertThat(((List<?>) row.inspect(10).get(0)).subList(0, 1)).isEqualTo(List.of("a:1"));
    }

    @Test
    void inspectionChangesNothing() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        redis.resetStats();
        row.inspect(10);
        row.scan("0", "*", 10);
        assertThat(redis.commandStats())
                .doesNotContainKeys("set", "del", "hset", "hdel", "zadd", "zrem", "pexpire", "publish");
    }

    @Test
    void scanFindsEveryKeyOfThePatternInSeveralSteps() {
        for (int i = 0; i < 300; i++) {
            redis.command("SET", "lock:lock:{n." + i + "}", "1");
            redis.command("SET", "other:" + i, "1");
        }
        List<Object> found = new ArrayList<>();
        String cursor = "0";
        int steps = 0;
        do {
            List<?> page = row.scan(cursor, "lock:lock:*n.1*", 20);
            cursor = (String) page.get(0);
            found.addAll((List<?>) page.get(1));
            steps++;
        } while (!cursor.equals("0"));
        assertThat(found.stream().distinct())
                .hasSize(111)
                .allMatch(key -> key.toString().startsWith("lock:lock:{n.1"));
        assertThat(steps).isGreaterThan(10);
    }
}
