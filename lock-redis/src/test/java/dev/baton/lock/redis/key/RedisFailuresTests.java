package dev.baton.lock.redis.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHandler;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.store.StoreException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests what an error of Redis shows about the failed command. */
class RedisFailuresTests {

    private final RedisFailures failures =
            new RedisFailures(new LettuceConnectionFactory(), "lock", LockHandler.AUTO, WaitStrategy.GRANT, false);

    private StoreException refused(String error, boolean once) {
        return failures.refused("acquire.lua", new IllegalStateException(error), once);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "LOADING Redis is loading the dataset in memory",
                "NOREPLICAS Not enough good replicas to write.",
                "MISCONF Redis is configured to save RDB snapshots, but is unable to persist to disk.",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "BUSY Redis is busy running a script.",
                "ERR Error running script (call to f_1): -READONLY You can't write against a read only replica."
            })
    void serverThatIsNotReadyHasNotRunTheCommand(String error) {
        assertThat(refused(error, true)).matches(StoreException::isPassing).matches(StoreException::isUnexecuted);
        assertThat(refused(error, false))
                .as("an earlier attempt may have run")
                .matches(StoreException::isPassing)
                .matches(ex -> !ex.isUnexecuted());
    }

    /** As the versions 6 and 7 of Redis report the error of a script. */
    @ParameterizedTest
    @CsvSource({
        "ERR user_script:9: storage format 3 of lock lock:lock:{a} script: 1, storage format 3",
        "ERR Error running script (call to f_1): @user_script:9: storage format 3 of lock a, storage format 3",
        "ERR user_script:9: storage format unknown of lock a, an unknown storage format",
        "WRONGTYPE Operation against a key holding the wrong kind of value script: 1, storage format 1",
        "ERR Error running script (call to f_1): @user_script:9: WRONGTYPE Operation, storage format 1",
        "ERR Error running script (call to f_1): -WRONGTYPE Operation against a key, storage format 1"
    })
    void lockInAnotherStorageFormatIsNamedWithBothFormats(String error, String format) {
        assertThat(refused(error, true))
                .hasMessageContaining("acquire.lua")
                .hasMessageContaining(format)
                .hasMessageContaining("this process uses format 2")
                .hasMessageContaining("stop the processes of one version")
                .hasRootCauseMessage(error)
                .isInstanceOfSatisfying(StoreException.class, ex -> {
                    assertThat(ex.isPassing()).isFalse();
                    assertThat(ex.isUnexecuted()).isFalse();
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM this user has no permissions to run the 'evalsha' command",
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "ERR the word READONLY alone says nothing"
            })
    void otherErrorsMayComeInTheMiddleOfAScript(String error) {
        assertThat(refused(error, true)).matches(ex -> !ex.isPassing()).matches(ex -> !ex.isUnexecuted());
    }
}
