package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.script.LuaScript;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests when primary.lua lets grants count. */
@Tag("scripts")
class PrimaryScriptTests {

    private static final String KEY = "lock:primary";
    private static final long PAUSE = 60_000;

    private final RedisView redis = ScriptServer.redis();

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    private long remaining(long pause) {
        List<?> reply =
                (List<?>) redis.command("EVAL", ScriptTexts.of(LuaScript.PRIMARY), "1", KEY, Long.toString(pause));
        return (Long) Objects.requireNonNull(reply).get(0);
    }

    private long serverMillis() {
        List<?> time = (List<?>) Objects.requireNonNull(redis.command("TIME"));
        return Long.parseLong(time.get(0).toString()) * 1_000
                + Long.parseLong(time.get(1).toString()) / 1_000;
    }

    private String info(String section, String field) {
        return String.valueOf(redis.command("INFO", section)).replaceAll("(?s).*" + field + ":(\\w+).*", "$1");
    }

    /** Returns the three parts of what is stored. */
    private String[] stored() {
        return String.valueOf(redis.command("GET", KEY)).split(" ");
    }

    private void store(String run, String replication, long end) {
        redis.command("SET", KEY, run + " " + replication + " " + end);
    }

    @Test
    void firstUseBeginsAPauseThatIsStored() {
        long before = serverMillis();
        assertThat(remaining(PAUSE)).isEqualTo(PAUSE);
        long after = serverMillis();
        assertThat(stored()).hasSize(3).startsWith(info("server", "run_id"), info("replication", "master_replid"));
        assertThat(Long.parseLong(stored()[2])).isBetween(before + PAUSE, after + PAUSE);
        assertThat(redis.command("PTTL", KEY)).as("does not expire").isEqualTo(-1L);
    }

    @Test
    void pauseGoesByAndIsNotProlonged() {
        remaining(PAUSE);
        String stored = String.join(" ", stored());
        assertThat(remaining(PAUSE)).isBetween(1L, PAUSE);
        assertThat(String.join(" ", stored())).isEqualTo(stored);
        long now = serverMillis();
        store(stored()[0], stored()[1], now + 20_000);
        assertThat(remaining(PAUSE)).isBetween(10_000L, 20_000L);
    }

    @Test
    void grantsCountAfterThePause() {
        remaining(PAUSE);
        store(stored()[0], stored()[1], serverMillis() - 1);
        assertThat(remaining(PAUSE)).isZero();
        store(stored()[0], stored()[1], serverMillis() - PAUSE);
        assertThat(remaining(PAUSE)).isZero();
    }

    @Test
    void restartedServerBeginsAPause() {
        remaining(PAUSE);
        store("0".repeat(40), stored()[1], serverMillis() - 1);
        assertThat(remaining(PAUSE)).isEqualTo(PAUSE);
        assertThat(stored()).startsWith(info("server", "run_id"));
    }

    /** A primary that was demoted and is promoted again has the same run id, and another replication id. */
    @Test
    void promotedServerBeginsAPause() {
        remaining(PAUSE);
        store(stored()[0], "0".repeat(40), serverMillis() - 1);
        assertThat(remaining(PAUSE)).isEqualTo(PAUSE);
        assertThat(stored()[1]).isEqualTo(info("replication", "master_replid"));
    }

    @Test
    void pauseIsNeverLongerThanAsked() {
        remaining(PAUSE);
        assertThat(remaining(50)).isEqualTo(50);
    }
}
