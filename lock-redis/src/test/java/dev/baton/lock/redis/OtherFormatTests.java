package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.harness.RedisErrorException;
import dev.baton.lock.harness.RedisView;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that scripts refuse a lock in another storage format, and change nothing then. */
@Tag("scripts")
class OtherFormatTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final SeveralLocks locks = new SeveralLocks(redis);

    @BeforeEach
    void lockWithTwoWaiters() {
        redis.command("FLUSHALL");
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(polls("c:1"));
    }

    @ParameterizedTest
    @CsvSource({
        "3 x a:1 7 6 owner label, 3",
        "3 x b:9 7 6 owner label, 3",
        "1 x a:1 7 6 owner label, 1",
        "22 something else, 22",
        "2 x, unknown",
        "2 a:1 7 6 owner label, unknown",
        "other, unknown",
        "'', unknown"
    })
    void lockOfAnotherVersionIsRefused(String text, String version) {
        row.writeLock(text);
        assertRefused("storage format " + version + " of lock " + LOCK);
    }

    /** The first format stored a lock as a hash. */
    @Test
    void hashIsRefused() {
        redis.command("DEL", LOCK);
        redis.command("HSET", LOCK, "mode", "x", "id", "a:1", "token", "7");
        assertRefused("WRONGTYPE");
    }

    private void assertRefused(String error) {
        Stream.<ThrowingCallable>of(
                        () -> row.acquire(tries("d:1")),
                        () -> row.acquire(waits("d:1")),
                        () -> row.acquire(waits("a:1")),
                        () -> row.acquire(waits("b:1"), waits("b:2")),
                        () -> locks.acquire(waits("m:1"), "orders.1", "other"),
                        () -> locks.acquire(waits("m:1"), "other", "orders.1"),
                        () -> row.end("a:1"),
                        () -> row.end("b:1", 5_000),
                        () -> locks.end("a:1", "orders.1", "other"),
                        () -> locks.end("a:1", 5_000, 5_000, "other", "orders.1"),
                        () -> row.exchange("a:1", waits("a:2")),
                        () -> row.exchange("b:1", 5_000, waits("b:2")),
                        row::forceRelease,
                        () -> ForceRow.force(row, tries("d:1")),
                        () -> row.inspect(10))
                .forEach(script -> assertChangesNothing(() -> assertThatExceptionOfType(RedisErrorException.class)
                        .isThrownBy(script)
                        .withMessageContaining(error)));
        assertChangesNothing(() -> assertThat(row.renew("a:1", 90_000)).isEqualTo(0L));
    }

    private void assertChangesNothing(Runnable script) {
        List<Object> before = state();
        script.run();
        assertThat(state()).isEqualTo(before);
    }

    private List<Object> state() {
        return List.of(
                redis.keys(),
                String.valueOf(redis.command("TYPE", LOCK)),
                String.valueOf(redis.command("DUMP", LOCK)),
                String.valueOf(redis.command("ZRANGE", QUEUE, "0", "-1", "WITHSCORES")),
                redis.command("HGETALL", WAIT),
                row.fence());
    }
}
