package dev.baton.lock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TestRedisTests {

    private TestRedis redis;

    @BeforeEach
    void start() {
        redis = TestRedis.start();
    }

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void startedServerAnswersOnLoopback() {
        assertThat(redis.host()).isEqualTo("127.0.0.1");
        assertThat(redis.command("PING")).isEqualTo("PONG");
        assertThat(redis.version()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(redis.command("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
        assertThat(redis.command("CONFIG", "GET", "bind")).isEqualTo(List.of("bind", "127.0.0.1"));
    }

    @Test
    void settingsAreLinesOfTheConfiguration() {
        try (TestRedis configured = TestRedis.start("maxclients 100", "user bob on >secret ~b:* +get")) {
            assertThat(configured.command("CONFIG", "GET", "maxclients")).isEqualTo(List.of("maxclients", "100"));
            assertThat(configured.command("ACL", "USERS")).isEqualTo(List.of("bob", "default"));
        }
    }

    @Test
    void settingThatTheServerRefusesFailsWithItsOutput() {
        assertThatIllegalStateException()
                .isThrownBy(() -> TestRedis.start("no-such-setting 1"))
                .withMessageContaining("no-such-setting");
    }

    @Test
    void eachServerHasItsOwnPortAndData() {
        try (TestRedis other = TestRedis.start()) {
            redis.command("SET", "k", "v");
            assertThat(other.port()).isNotEqualTo(redis.port());
            assertThat(other.keys()).isEmpty();
        }
    }

    @Test
    void stopEndsTheProcessAndMayBeRepeated() {
        long pid = redis.pid();
        redis.stop();
        redis.stop();
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> redis.command("PING"))
                .withMessageContaining("127.0.0.1:" + redis.port());
    }

    @Test
    void stopWorksOnAnInterruptedThreadAndKeepsItsFlag() {
        long pid = redis.pid();
        Thread.currentThread().interrupt();
        redis.stop();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void restartKeepsThePortAndLosesTheData() {
        int port = redis.port();
        redis.command("SET", "k", "v");
        redis.restart();
        assertThat(redis.port()).isEqualTo(port);
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void pausedServerAnswersNothingUntilItIsResumed() {
        redis.pause();
        try (RespConnection connection = redis.connect()) {
            connection.send("INCR", "n");
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> connection.read(Duration.ofMillis(200)));
        }
        redis.resume();
        assertThat(redis.command("GET", "n")).isEqualTo("1");
    }

    @Test
    void pausedServerCanBeStopped() {
        redis.pause();
        redis.stop();
        assertThat(ProcessHandle.of(redis.pid())).isEmpty();
    }

    @Test
    void repliesHaveTheirTypes() {
        assertThat(redis.command("SET", "text", "schlüssel\r\n")).isEqualTo("OK");
        assertThat(redis.command("GET", "text")).isEqualTo("schlüssel\r\n");
        assertThat(redis.command("GET", "none")).isNull();
        assertThat(redis.command("INCR", "n")).isEqualTo(1L);
        assertThat(redis.command("EVAL", "return {1, 'two', {false, ''}}", "0"))
                .asString()
                .isEqualTo("[1, two, [null, ]]");
    }

    @Test
    void errorReplyIsThrownWithItsCode() {
        assertThatExceptionOfType(RedisErrorException.class)
                .isThrownBy(() -> redis.command("EVALSHA", "0".repeat(40), "0"))
                .satisfies(error -> assertThat(error.code()).isEqualTo("NOSCRIPT"));
    }

    @Test
    void commandsAreCountedSinceTheReset() {
        redis.command("SET", "k", "v");
        redis.resetStats();
        redis.command("GET", "k");
        redis.command("GET", "k");
        redis.command("EVAL", "return redis.call('EXISTS', 'k')", "0");
        assertThat(redis.commandStats())
                .containsEntry("get", 2L)
                .containsEntry("eval", 1L)
                .containsEntry("exists", 1L)
                .doesNotContainKey("set");
    }

    @Test
    void allKeysAreFoundWithTheirTimeToLive() {
        try (RespConnection connection = redis.connect()) {
            IntStream.range(0, 2500).forEach(i -> connection.command("SET", "k" + i, "v"));
        }
        assertThat(redis.keys()).hasSize(2500);
        redis.command("PEXPIRE", "k7", "60000");
        assertThat(redis.ttl("k7")).isBetween(50_000L, 60_000L);
        assertThat(redis.ttl("k8")).isEqualTo(-1);
        assertThat(redis.ttl("none")).isEqualTo(-2);
    }

    @Test
    void jvmHasOneSharedServer() {
        assertThat(TestRedis.shared()).isSameAs(TestRedis.shared());
        assertThat(TestRedis.shared().command("PING")).isEqualTo("PONG");
    }
}
