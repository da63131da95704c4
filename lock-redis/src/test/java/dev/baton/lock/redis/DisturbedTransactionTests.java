package dev.baton.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.LockHandler;
import dev.baton.lock.LockState;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.redis.key.StoreThreads;
import dev.baton.lock.redis.transaction.JedisTransactions;
import dev.baton.lock.redis.transaction.LettuceTransactions;
import dev.baton.lock.redis.transaction.TransactionConnection;
import dev.baton.lock.redis.transaction.Transactions;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.AcquireCommand.Request;
import dev.baton.lock.store.AcquireReply;
import dev.baton.lock.store.AcquireReply.Busy;
import dev.baton.lock.store.AcquireReply.Granted;
import dev.baton.lock.store.EndCommand;
import dev.baton.lock.store.EndReply;
import dev.baton.lock.store.ExchangeCommand;
import dev.baton.lock.store.ForceReply;
import dev.baton.lock.store.LockName;
import dev.baton.lock.store.RenewCommand;
import dev.baton.lock.store.StoreException;
import dev.baton.lock.store.StoreTraits;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.Client;
import dev.baton.lock.support.Connections;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tests transactions on a lock that another client changes just before each commit. */
class DisturbedTransactionTests {

    private static final String LOCK = "lock:lock:{orders.1}";
    private static final String OTHER_LOCK = "lock:lock:{orders.2}";
    private static final List<LockName> BOTH = List.of(StoreUser.NAME, new LockName("", "orders.2"));

    private static final long TIMEOUT = Duration.ofSeconds(20).toNanos();

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
    void constantlyChangedLockFailsWithAMessage() {
        redis.command("SET", LOCK, "2 x other:1 1 1 o l");
        Transactions transactions = transactions(
                connections, connection -> before(connection, () -> redis.command("PEXPIRE", LOCK, "60000")));

        assertThatThrownBy(() -> transactions.acquire(command()).get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, ex -> assertThat(ex.isPassing()).isTrue())
                .hasMessageContaining("'orders.1'")
                .hasMessageContaining("was changed by other clients during each of " + commits + " transactions")
                .hasMessageContaining("baton.handler: script");
        assertThat(commits).hasValue(50);
        assertThat(redis.keys()).containsExactly(LOCK);
    }

    /** Redis may have closed an idle connection unnoticed. */
    @ParameterizedTest
    @EnumSource
    void deadConnectionIsReplacedBeforeTheFirstChange(Client client) throws Exception {
        Connections others = new Backend(client, 0).connect(redis.host(), redis.port());
        AtomicInteger opened = new AtomicInteger();
        Transactions transactions = transactions(others, connection -> {
            if (opened.incrementAndGet() == 1) {
                redis.command("CLIENT", "KILL", "TYPE", "normal");
            }
            return connection;
        });

        assertThat(transactions.acquire(command()).get(20, TimeUnit.SECONDS).answers())
                .hasOnlyElementsOfType(Granted.class);

        assertThat(opened).hasValue(2);
        others.end().run();
    }

    /** The outcome of the commit is unknown, and the caller must learn that. */
    @Test
    void connectionLostDuringACommitIsNotReplaced() {
        Transactions transactions = transactions(
                connections, connection -> before(connection, () -> redis.command("CLIENT", "KILL", "TYPE", "normal")));

        assertThatThrownBy(() -> transactions.acquire(command()).get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, ex -> assertThat(ex.isPassing()).isTrue())
                .hasMessageContaining("could not be asked");
        assertThat(commits).hasValue(1);
    }

    /** The acquire could otherwise overtake the end on another connection. */
    @Test
    void exchangeAcquiresOnlyAfterTheAnswerToItsEnd() {
        AtomicInteger opened = new AtomicInteger();
        Transactions transactions = transactions(connections, connection -> {
            opened.incrementAndGet();
            connection.close(true);
            throw new IllegalStateException("no connection");
        });

        assertThatThrownBy(() -> transactions
                        .exchange(new ExchangeCommand(end(), command("a:2")))
                        .get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(StoreException.class);

        assertThat(opened).as("the end alone was sent").hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({
        "3 x other:1 1 1 o l, storage format 3",
        "17, storage format 17",
        "2 x other:1, an unknown storage format"
    })
    void lockInAnotherFormatFailsAtOnceAndIsLeftAsItIs(String text, String version) {
        redis.command("SET", LOCK, text);
        AtomicInteger opened = new AtomicInteger();
        Transactions transactions = transactions(connections, connection -> {
            opened.incrementAndGet();
            return connection;
        });

        assertRefusedFormat(() -> transactions.acquire(command()), version);
        assertRefusedFormat(() -> transactions.end(end()), version);
        assertRefusedFormat(() -> transactions.inspect(StoreUser.NAME, 1, TIMEOUT), version);
        assertRefusedFormat(() -> transactions.forceRelease(StoreUser.NAME, TIMEOUT), version);

        assertThat(opened).as("no other connection can do better").hasValue(4);
        assertThat(redis.command("GET", LOCK)).isEqualTo(text);
        assertThat(redis.keys()).containsExactly(LOCK);
    }

    /** The first format kept a lock in a hash. */
    @ParameterizedTest
    @EnumSource
    void lockInTheFirstFormatFailsAtOnceAndIsLeftAsItIs(Client client) throws Exception {
        redis.command("HSET", LOCK, "mode", "x", "id", "a:1", "token", "1", "owner", "o", "label", "l");
        Connections others = new Backend(client, 0).connect(redis.host(), redis.port());
        Transactions transactions = transactions(others, connection -> connection);

        assertRefusedFormat(() -> transactions.acquire(command()), "storage format 1");
        assertRefusedFormat(() -> transactions.end(end()), "storage format 1");
        assertRefusedFormat(() -> transactions.inspect(StoreUser.NAME, 1, TIMEOUT), "storage format 1");
        assertRefusedFormat(() -> transactions.forceRelease(StoreUser.NAME, TIMEOUT), "storage format 1");
        assertThat(transactions.renew(renewal()).get(20, TimeUnit.SECONDS)).containsExactly(List.of(StoreUser.NAME));

        assertThat(redis.command("HGET", LOCK, "id")).isEqualTo("a:1");
        assertThat(redis.keys()).containsExactly(LOCK);
        others.end().run();
    }

    @Test
    void lockInAnotherModeIsShownAndNotForceReleased() throws Exception {
        String shared = "2 r other:1 7 1 o l";
        redis.command("SET", LOCK, shared);
        Transactions transactions = transactions(connections, connection -> connection);

        LockState state = transactions.inspect(StoreUser.NAME, 1, TIMEOUT).get(20, TimeUnit.SECONDS);
        assertThat(state.holder().orElseThrow().fencingToken()).isEqualTo(7);
        assertThatThrownBy(
                        () -> transactions.forceRelease(StoreUser.NAME, TIMEOUT).get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("held in a way that this version does not know");
        assertThat(redis.command("GET", LOCK)).isEqualTo(shared);
    }

    /** The holder is not the one that was read: the next attempt releases the one that is there. */
    @Test
    void forceReleaseOfAChangedLockIsRepeated() throws Exception {
        redis.command("SET", LOCK, "2 x other:1 7 1 o l");
        Transactions transactions = transactions(
                connections,
                connection -> before(connection, () -> {
                    if (commits.get() == 1) {
                        redis.command("SET", LOCK, "2 x other:2 8 1 o l");
                    }
                }));

        ForceReply reply = transactions.forceRelease(StoreUser.NAME, TIMEOUT).get(20, TimeUnit.SECONDS);

        assertThat(reply.holder())
                .isNotNull()
                .satisfies(holder -> assertThat(holder.fencingToken()).isEqualTo(8));
        assertThat(commits).hasValue(2);
        assertThat(redis.keys()).isEmpty();
    }

    /** A change of the second lock, or of its queue, is noticed as well. */
    @ParameterizedTest
    @ValueSource(strings = {"lock", "queue"})
    void changeOfAnyLockCancelsTheGrantOfAll(String kind) throws Exception {
        Transactions transactions = transactions(
                connections,
                connection -> before(connection, () -> {
                    if (kind.equals("lock")) {
                        redis.command("SET", OTHER_LOCK, "2 x other:2 8 1 o l");
                    } else if (commits.get() == 1) {
                        redis.command("ZADD", "lock:queue:{orders.2}", "1", "2 y unknown");
                    }
                }));
        AcquireCommand both = new AcquireCommand(
                BOTH,
                List.of(new Request("a:1", Kind.MESSAGE, 10_000, -1, 0, "owner", "label")),
                Duration.ofSeconds(1),
                TIMEOUT);

        AcquireReply.Answer answer =
                transactions.acquire(both).get(20, TimeUnit.SECONDS).answers().get(0);

        if (kind.equals("lock")) {
            assertThat(answer).isInstanceOf(Busy.class);
            assertThat(redis.keys()).containsExactly(OTHER_LOCK);
            assertThat(commits).hasValue(1);
        } else {
            assertThat(answer).isInstanceOf(Granted.class);
            assertThat(commits).hasValue(2);
        }
    }

    @Test
    void renewalOfSeveralLocksExtendsNoneIfOneIsLostMeanwhile() throws Exception {
        holdBoth();
        Transactions transactions = transactions(
                connections,
                connection -> before(connection, () -> {
                    if (commits.get() == 1) {
                        redis.command("DEL", OTHER_LOCK);
                    }
                }));
        RenewCommand renewal = new RenewCommand(List.of(new RenewCommand.Renewal(BOTH, "a:1", 60_000)), TIMEOUT);

        assertThat(transactions.renew(renewal).get(20, TimeUnit.SECONDS)).containsExactly(List.of(BOTH.get(1)));

        assertThat((Long) redis.command("PTTL", LOCK)).isBetween(1L, 30_000L);
        assertThat(redis.keys()).containsExactly(LOCK);
    }

    @Test
    void endOfSeveralLocksLeavesOneThatIsTakenMeanwhile() throws Exception {
        holdBoth();
        String taken = "2 x other:2 8 1 o l";
        Transactions transactions = transactions(
                connections,
                connection -> before(connection, () -> {
                    if (commits.get() == 1) {
                        redis.command("SET", OTHER_LOCK, taken);
                    }
                }));

        EndReply reply = transactions
                .end(new EndCommand(BOTH, "a:1", null, 0, 0, TIMEOUT))
                .get(20, TimeUnit.SECONDS);

        assertThat(reply).isEqualTo(new EndReply(EndReply.Role.NOTHING, List.of(BOTH.get(1)), false, false));
        assertThat(redis.keys()).containsExactly(OTHER_LOCK);
        assertThat(redis.command("GET", OTHER_LOCK)).isEqualTo(taken);
    }

    private void holdBoth() {
        for (String lock : List.of(LOCK, OTHER_LOCK)) {
            redis.command("SET", lock, "2 x a:1 7 1 o l", "PX", "30000");
        }
    }

    @Test
    void anotherKeyOfAnotherTypeIsNamedByRedis() {
        redis.command("HSET", "lock:fence", "a", "b");
        Transactions transactions = transactions(connections, connection -> connection);
        assertThatThrownBy(() -> transactions.acquire(command()).get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("WRONGTYPE");
    }

    private static void assertRefusedFormat(Supplier<CompletableFuture<?>> sent, String version) {
        assertThatThrownBy(() -> sent.get().get(20, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, ex -> assertThat(ex.isPassing()).isFalse())
                .hasMessageContaining(version + ",")
                .hasMessageContaining("uses format 2");
    }

    private static EndCommand end() {
        return new EndCommand(
                List.of(StoreUser.NAME),
                "a:1",
                null,
                0,
                0,
                Duration.ofSeconds(20).toNanos());
    }

    private static RenewCommand renewal() {
        return new RenewCommand(
                List.of(new RenewCommand.Renewal(List.of(StoreUser.NAME), "a:1", 10_000)),
                Duration.ofSeconds(20).toNanos());
    }

    private Transactions transactions(Connections from, UnaryOperator<TransactionConnection> disturbance) {
        TransactionConnection.Source source = from.factory() instanceof LettuceConnectionFactory lettuce
                ? new LettuceTransactions(lettuce)
                : new JedisTransactions(from.factory());
        RedisFailures failures =
                new RedisFailures(from.factory(), "lock", LockHandler.TRANSACTION, WaitStrategy.GRANT, false);
        return new Transactions(
                new RedisKeys("lock"),
                "lock:inbox:a",
                failures,
                threads,
                disturbed(source, disturbance),
                StoreTraits.GRANT);
    }

    private static AcquireCommand command() {
        return command("a:1");
    }

    private static AcquireCommand command(String id) {
        return new AcquireCommand(
                List.of(StoreUser.NAME),
                List.of(new Request(id, Kind.MESSAGE, 10_000, -1, 0, "owner", "label")),
                Duration.ofSeconds(1),
                Duration.ofSeconds(20).toNanos());
    }

    private static TransactionConnection.Source disturbed(
            TransactionConnection.Source source, UnaryOperator<TransactionConnection> disturbance) {
        return new TransactionConnection.Source() {
            @Override
            public TransactionConnection open() {
                return disturbance.apply(source.open());
            }

            @Override
            public void close() {
                source.close();
            }
        };
    }

    /** Runs a disturbance just before each commit. */
    private TransactionConnection before(TransactionConnection connection, Runnable disturbance) {
        return new TransactionConnection() {
            @Override
            public List<Object> ask(List<List<String>> commands) {
                return connection.ask(commands);
            }

            @Override
            public List<Object> exec(List<List<String>> asked) {
                commits.incrementAndGet();
                disturbance.run();
                return connection.exec(asked);
            }

            @Override
            public void close(boolean failed) {
                connection.close(failed);
            }
        };
    }
}
