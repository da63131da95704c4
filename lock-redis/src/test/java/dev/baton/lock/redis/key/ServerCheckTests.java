package dev.baton.lock.redis.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests which servers are refused, by what they reply. */
class ServerCheckTests {

    private final RuntimeException unknownCommand =
            new IllegalStateException("wrapped", new IllegalStateException("ERR unknown command 'HELLO'"));

    private final ServerCheck check = new ServerCheck(new RedisFailures(
            new LettuceConnectionFactory("cache-1", 6380), "lock", LockHandler.AUTO, WaitStrategy.GRANT, false));
    private final List<String> asked = new ArrayList<>();

    private void check(Object hello, Object info) {
        check.check((command, args) -> {
            asked.add(args.length == 0 ? command : command + " " + String.join(" ", args));
            Object reply = command.equals("HELLO") ? hello : info;
            if (reply instanceof RuntimeException error) {
                throw error;
            }
            return reply;
        });
    }

    private static List<Object> hello(String server, String version) {
        return List.of(
                bytes("server"), bytes(server), bytes("version"), bytes(version), "proto", 2L, "modules", List.of());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.0.16", "6.1.240", "5.0.14", "2.8.24"})
    void olderServerIsRefusedByItsVersion(String version) {
        Object info = bytes("# Server\r\nredis_version:" + version + "\r\nredis_mode:standalone\r\n");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> check(unknownCommand, info))
                .withMessage(
                        "Redis " + version + " at cache-1:6380 is too old: Baton needs Redis 6.2 or newer. Upgrade the"
                                + " server, or connect to a newer one (spring.data.redis.*)")
                .matches(ex -> !ex.isPassing())
                .matches(StoreException::isUnexecuted);
        assertThat(asked).containsExactly("HELLO", "INFO server");
    }

    /** Redis 6.0 knows {@code HELLO}, but not without arguments. */
    @Test
    void serverThatKnowsHelloOnlyWithArgumentsIsAskedByInfo() {
        Object error = new IllegalStateException("ERR wrong number of arguments for 'hello' command");
        assertThatThrownBy(() -> check(error, "redis_version:6.0.16"))
                .hasMessageStartingWith("Redis 6.0.16 at cache-1:6380 is too old");
    }

    @Test
    void serverThatWasUpgradedIsAccepted() {
        assertThatThrownBy(() -> check(unknownCommand, "redis_version:6.0.16")).hasMessageContaining("too old");
        check(hello("redis", "7.0.15"), "");
        assertThat(asked).containsExactly("HELLO", "INFO server", "HELLO");
    }

    @ParameterizedTest
    @CsvSource({
        "redis, 6.2.0",
        "redis, 7.4.1",
        "redis, 10.0.0",
        "redis, 255.255.255",
        // relatives with numbers of their own, and those that give the version that they are compatible with
        "valkey, 8.0.1",
        "redis, 7.2.4",
        "dragonfly, 1.2.0",
        "keydb, 6.0.0",
        // versions that are no numbers
        "redis, unstable",
        "redis, ''",
        "redis, hidden.by.the.service"
    })
    void otherServersAreAcceptedAndNotAskedAgain(String server, String version) {
        check(hello(server, version), unknownCommand);
        check(hello("redis", "6.0.16"), "");
        assertThat(asked).containsExactly("HELLO");
    }

    @Test
    void replyOfTheNewerProtocolIsRead() {
        assertThatThrownBy(() -> check(Map.of("server", "redis", "version", "6.0.1"), ""))
                .hasMessageStartingWith("Redis 6.0.1 at cache-1:6380 is too old");
        assertThatThrownBy(() -> check(List.of(Map.entry("version", "6.0.2"), Map.entry("server", "redis")), ""))
                .hasMessageStartingWith("Redis 6.0.2 at cache-1:6380 is too old");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM this user has no permissions to run the 'info' command",
                "ERR unknown command 'INFO'",
                "ERR this command is disabled by the service"
            })
    void versionThatIsHiddenIsNoRefusal(String error) {
        check(unknownCommand, new IllegalStateException(error));
        check(unknownCommand, new IllegalStateException(error));
        assertThat(asked).containsExactly("HELLO", "INFO server");
    }

    @Test
    void replyWithoutAVersionIsNoRefusal() {
        check(unknownCommand, "# Server\r\nproduct:something else\r\n");
        assertThat(asked).containsExactly("HELLO", "INFO server");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection reset",
                "Read timed out",
                "Unexpected end of stream.",
                "NOAUTH Authentication required.",
                "WRONGPASS invalid username-password pair or user is disabled."
            })
    void connectionThatFailedIsReportedAndTheNextOneIsChecked(String message) {
        assertThatThrownBy(() -> check(new IllegalStateException(message), "")).hasMessage(message);
        assertThatThrownBy(() -> check(unknownCommand, new IllegalStateException(message)))
                .hasMessage(message);
        assertThatCode(() -> check(hello("redis", "7.2.4"), "")).doesNotThrowAnyException();
        assertThat(asked).containsExactly("HELLO", "HELLO", "INFO server", "HELLO");
    }
}
