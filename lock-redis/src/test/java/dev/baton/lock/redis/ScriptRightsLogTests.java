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

/** Each right of the list is used: where it is taken away, Redis says that it was missed. */
@Tag("scripts")
class ScriptRightsLogTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
        AclLog.clear(redis);
    }

    /** Also those of which the scripts try whether they may. */
    static Stream<String> commandsThatAreCalled() {
        return DocumentedCommands.all().stream().filter(command -> !command.equals("eval"));
    }

    @ParameterizedTest
    @MethodSource("commandsThatAreCalled")
    void withoutItTheLogOfRedisNamesIt(String command) {
        List<String> rest = DocumentedCommands.all().stream()
                .filter(other -> !other.equals(command))
                .toList();
        LockRow user = row.as("baton", "~lock:*", "resetchannels &lock:*", DocumentedCommands.rules(rest));
        // refused, or nobody is told, or nothing is seen of it
        Throwable failure = catchThrowable(() -> ScriptRightsTests.useAll(row, user));
        assertThat(AclLog.refused(redis)).as("after %s", failure).contains(AclLog.name(redis, command));
    }
}
