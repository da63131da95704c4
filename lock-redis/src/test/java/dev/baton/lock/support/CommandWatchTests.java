package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandWatchTests {

    private final TestRedis redis = Backend.LETTUCE.startRedis();
    private final CommandWatch watch = CommandWatch.over(redis);

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void commandsOfTheTestAreNotCounted() {
        redis.command("INCR", "x");
        watch.endAndAssertOnlyListedRights();
    }

    @Test
    void commandOfAnApplicationThatIsNotListedIsNamed() {
        stranger("INCR", "x");
        assertThatThrownBy(watch::endAndAssertOnlyListedCommands)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("incr");
    }

    @Test
    void commandOfAScriptThatIsNotListedIsNamed() {
        stranger("EVAL", "return redis.pcall('INCR', KEYS[1])", "1", "x");
        assertThatThrownBy(watch::endAndAssertOnlyListedCommands)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("incr");
    }

    @Test
    void commandAfterARestartIsNamed() {
        redis.restart();
        watch.sent();
        stranger("CONFIG", "GET", "maxmemory");
        stranger("INCR", "x");
        assertThatThrownBy(watch::endAndAssertOnlyListedCommands)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("incr");
    }

    @Test
    void whatAScriptTriesAndMayNotIsNamed() {
        try (RespConnection user = open()) {
            user.command("AUTH", Backend.USER, Backend.USER);
            user.command("EVAL", "redis.pcall('INCR', KEYS[1]); return 1", "1", "lock:x");
        }
        assertThatThrownBy(watch::endAndAssertOnlyListedRights)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("incr");
    }

    private void stranger(String... command) {
        try (RespConnection connection = open()) {
            connection.command(command);
        }
    }

    private RespConnection open() {
        return RespConnection.open(redis.host(), redis.port(), Duration.ofSeconds(5));
    }
}
