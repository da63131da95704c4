package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.lock.harness.RedisView;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each listed right is needed: without the right, Redis logs a denied access. */
@Tag("scripts")
class ScriptRightsLogTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
        AclLog.clear(redis);
    }

    /** Includes the commands that the scripts call only if permitted. */
    static Stream<String> calledCommands() {
        return DocumentedCommands.all().stream().filter(command -> !command.equals("eval"));
    }

    @ParameterizedTest
    @MethodSource("calledCommands")
    void logOfRedisNamesAMissingRight(String command) {
        List<String> rest = DocumentedCommands.all().stream()
                .filter(other -> !other.equals(command))
                .toList();
        LockRow user = row.as("baton", "~lock:*", "resetchannels &lock:*", DocumentedCommands.rules(rest));
        // the missing right may fail a script, suppress a message, or have no visible effect
        Throwable failure = catchThrowable(() -> ScriptRightsTests.useAll(row, user));
        assertThat(AclLog.refused(redis)).as("after %s", failure).contains(AclLog.name(redis, command));
    }
}
