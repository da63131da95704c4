package dev.baton.lock.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.transaction.TransactionConnection.RefusedException;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import dev.baton.lock.support.Connections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests that a watched key guards a transaction, over each client. */
@ParameterizedClass
@EnumSource
class TransactionConnectionTests {

    private static final List<List<String>> WRITE = List.of(List.of("SET", "k", "ours"));

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private final Connections connections;
    private final TransactionConnection.Source source;

    TransactionConnectionTests(Client client) {
        connections = new Backend(client, 0).connect(redis.host(), redis.port());
        source = connections.factory() instanceof LettuceConnectionFactory lettuce
                ? new LettuceTransactions(lettuce)
                : new JedisTransactions(connections.factory());
    }

    @AfterEach
    void stop() {
        source.close();
        connections.end().run();
        redis.close();
    }

    @Test
    void answersAreReadUnchanged() {
        redis.command("HSET", "h", "a", "1", "ü", "é");
        redis.command("ZADD", "z", "1795250597553801", "m");
        TransactionConnection connection = source.open();
        List<Object> answers = connection.ask(List.of(
                List.of("WATCH", "k"),
                List.of("GET", "k"),
                List.of("HMGET", "h", "a", "none", "ü"),
                List.of("ZSCORE", "z", "m"),
                List.of("ZSCORE", "z", "none"),
                List.of("ZRANGE", "z", "0", "-1"),
                List.of("PTTL", "k"),
                List.of("PUBSUB", "NUMSUB", "c")));
        assertThat(answers.get(1)).isNull();
        assertThat((List<?>) answers.get(2)).hasToString("[1, null, é]");
        assertThat(LockTransaction.number(answers.get(3))).isEqualTo(1795250597553801L);
        assertThat(answers.get(4)).isNull();
        assertThat(answers.get(5)).isEqualTo(List.of("m"));
        assertThat(answers.get(6)).isEqualTo(-2L);
        assertThat(LockTransaction.number(((List<?>) answers.get(7)).get(1))).isZero();
        connection.close(true);
    }

    @Test
    void changedKeyCancelsTheTransaction() {
        TransactionConnection connection = source.open();
        connection.ask(List.of(List.of("WATCH", "k")));
        redis.command("SET", "k", "theirs");
        assertThat(connection.commit(WRITE)).isFalse();
        assertThat(redis.command("GET", "k")).isEqualTo("theirs");
        connection.ask(List.of(List.of("WATCH", "k")));
        assertThat(connection.commit(WRITE)).isTrue();
        assertThat(redis.command("GET", "k")).isEqualTo("ours");
        connection.close(false);
    }

    @Test
    void expiredKeyCancelsTheTransaction() throws Exception {
        TransactionConnection connection = source.open();
        redis.command("SET", "k", "theirs", "PX", "1000");
        assertThat(connection.ask(List.of(List.of("WATCH", "k"), List.of("GET", "k"))))
                .as("the key was watched before it expired")
                .last()
                .isNotNull();
        org.awaitility.Awaitility.await()
                .until(() -> redis.command("EXISTS", "k").equals(0L));
        assertThat(connection.commit(WRITE)).isFalse();
        connection.close(false);
    }

    @Test
    void lostConnectionIsNotReplacedWithoutItsWatch() {
        TransactionConnection connection = source.open();
        connection.ask(List.of(List.of("WATCH", "k"), List.of("GET", "k")));
        redis.command("CLIENT", "KILL", "TYPE", "normal");
        redis.command("SET", "k", "theirs");
        assertThatThrownBy(() -> connection.commit(WRITE)).isInstanceOf(RuntimeException.class);
        connection.close(true);
        assertThat(redis.command("GET", "k")).isEqualTo("theirs");
        TransactionConnection next = source.open();
        assertThat(next.commit(WRITE)).isTrue();
        next.close(false);
    }

    @Test
    void refusedCommandCancelsTheTransactionAndIsNamed() {
        redis.command("ACL", "SETUSER", Backend.USER, "-publish");
        TransactionConnection connection = source.open();
        assertThatThrownBy(() -> connection.commit(List.of(List.of("SET", "k", "v"), List.of("PUBLISH", "c", "m"))))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("publish");
        connection.close(true);
        assertThat(redis.command("GET", "k")).isNull();
    }
}
