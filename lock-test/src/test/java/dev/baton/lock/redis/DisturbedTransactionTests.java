package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Connections;
import dev.baton.lock.test.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A lock that somebody changes just before each transaction on it. */
class DisturbedTransactionTests {

    private static final String LOCK = "lock:lock:{orders.1}";

    private final TestRedis redis = Backend.LETTUCE.startOpenRedis();
    private final Connections connections = Backend.LETTUCE.connect(redis.host(), redis.port());
    private final StoreThreads threads = new StoreThreads();
    private final AtomicInteger commits = new AtomicInteger();

    @AfterEach
    void stop() {
        threads.stop();
        connections.end().run();
        redis.close();
    }

    @Test
    void lockThatNeverKeepsStillIsGivenUpWithAMessage() {
        redis.command("HSET", LOCK, "mode", "x", "id", "somebody", "token", "1", "owner", "o", "label", "l");
        LettuceConnectionFactory factory = (LettuceConnectionFactory) connections.factory();
        Transactions transactions = new Transactions(
                new RedisKeys("lock"),
                "lock:inbox:a",
                new RedisFailures(factory),
                threads,
                disturbed(new LettuceTransactions(factory)));
        AcquireCommand command = new AcquireCommand(
                List.of(StoreUser.NAME),
                List.of(new Request("a:1", Kind.MESSAGE, 10_000, -1, 0, "owner", "label")),
                Duration.ofSeconds(1),
                Duration.ofSeconds(20).toNanos());

        assertThatThrownBy(() -> transactions.acquire(command).get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, ex -> assertThat(ex.isPassing()).isTrue())
                .hasMessageContaining("'orders.1'")
                .hasMessageContaining("was changed by others during all of " + commits + " transactions")
                .hasMessageContaining("baton.handler: script");
        assertThat(commits.get()).isGreaterThan(10);
        assertThat(redis.keys()).containsExactly(LOCK);
    }

    private TransactionConnection.Source disturbed(TransactionConnection.Source source) {
        return new TransactionConnection.Source() {
            @Override
            public TransactionConnection open() {
                return disturbed(source.open());
            }

            @Override
            public void close() {
                source.close();
            }
        };
    }

    private TransactionConnection disturbed(TransactionConnection connection) {
        return new TransactionConnection() {
            @Override
            public List<Object> ask(List<List<String>> commands) {
                return connection.ask(commands);
            }

            @Override
            public boolean commit(List<List<String>> writes) {
                commits.incrementAndGet();
                redis.command("PEXPIRE", LOCK, "60000");
                return connection.commit(writes);
            }

            @Override
            public void close(boolean failed) {
                connection.close(failed);
            }
        };
    }
}
