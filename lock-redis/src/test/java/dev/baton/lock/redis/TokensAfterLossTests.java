package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.redis.script.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that tokens grow although Redis loses data, with any number of reserved tokens and at full speed. */
@Tag("scripts")
class TokensAfterLossTests {

    private static final int LOSSES = 20;
    private static final int GRANTS = 200;

    private final RedisView redis = ScriptServer.redis();
    private final RespConnection connection = redis.connect();
    private final RespConnection inboxes = redis.connect();
    private final String acquire = load(LuaScript.ACQUIRE);
    private final String exchange = load(LuaScript.EXCHANGE);

    @BeforeEach
    void listen() {
        connection.command("FLUSHALL");
        inboxes.command("SUBSCRIBE", LockRow.inbox("a:1"));
        inboxes.command("SUBSCRIBE", LockRow.inbox("b:1"));
    }

    @AfterEach
    void close() {
        connection.close();
        inboxes.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 32, 1_000})
    void tokensOfASingleProcessGrow(int reserve) {
        for (int loss = 0; loss < LOSSES; loss++) {
            sendAcquire("a:" + loss + "0", reserve);
            for (int i = 0; i < GRANTS; i++) {
                sendExchange("a:" + loss + i, "a:" + loss + (i + 1), reserve);
            }
            connection.send("FLUSHALL");
        }
        List<Long> highest = new ArrayList<>();
        for (int loss = 0; loss < LOSSES; loss++) {
            highest.add(token(connection.read()));
            for (int i = 0; i < GRANTS; i++) {
                // including the reserved tokens, which the process may assign
                highest.add(mark(connection.read()));
            }
            connection.read();
        }
        assertGrow(highest);
    }

    /** Two processes hand the lock to each other. */
    @ParameterizedTest
    @ValueSource(ints = {0, 32, 1_000})
    void tokensOfTwoAlternatingProcessesGrow(int reserve) {
        for (int loss = 0; loss < LOSSES; loss++) {
            sendAcquire("a:" + loss + "0", reserve);
            sendAcquire("b:" + loss + "0", reserve);
            for (int i = 0; i < GRANTS; i++) {
                sendExchange("a:" + loss + i, "a:" + loss + (i + 1), reserve);
                sendExchange("b:" + loss + i, "b:" + loss + (i + 1), reserve);
            }
            connection.send("FLUSHALL");
        }
        List<Long> highest = new ArrayList<>();
        for (int loss = 0; loss < LOSSES; loss++) {
            highest.add(token(connection.read()));
            connection.read();
            for (int i = 0; i < 2 * GRANTS; i++) {
                highest.add(mark(connection.read()));
            }
            connection.read();
        }
        assertGrow(highest);
    }

    /** A replica that lags does not know the last grants. It takes over later than tokens reach ahead of the clock. */
    @ParameterizedTest
    @ValueSource(ints = {0, 32, 1_000})
    void tokensGrowOverAFenceThatIsSetBack(int reserve) throws Exception {
        long highest = 0;
        int request = 0;
        for (int failover = 0; failover < LOSSES; failover++) {
            sendAcquire("a:" + request, reserve);
            long token = token(connection.read());
            assertThat(token).as("failover %d", failover).isGreaterThan(highest);
            String replica = String.valueOf(connection.command("GET", FENCE));
            for (int i = 0; i < GRANTS; i++) {
                sendExchange("a:" + request, "a:" + ++request, reserve);
            }
            highest = token;
            for (int i = 0; i < GRANTS; i++) {
                // including the reserved tokens, which the process may assign
                long mark = mark(connection.read());
                assertThat(mark).as("grant %d", i).isGreaterThan(highest);
                highest = mark;
            }
            TimeUnit.MILLISECONDS.sleep(3);
            connection.command("DEL", LOCK);
            connection.command("SET", FENCE, replica);
            request++;
        }
    }

    private static void assertGrow(List<Long> tokens) {
        for (int i = 1; i < tokens.size(); i++) {
            assertThat(tokens.get(i)).as("grant %d", i).isGreaterThan(tokens.get(i - 1));
        }
    }

    private void sendAcquire(String id, int reserve) {
        List<String> args =
                new ArrayList<>(List.of("EVALSHA", acquire, "5", LOCK, QUEUE, WAIT, FENCE, LockRow.over(id)));
        args.add(process(id));
        args.add(waits(id).reserve(reserve).argument());
        connection.send(args.toArray(String[]::new));
    }

    private void sendExchange(String id, String next, int reserve) {
        List<String> args = new ArrayList<>(
                List.of("EVALSHA", exchange, "6", LOCK, QUEUE, WAIT, FENCE, LockRow.over(id), LockRow.over(next)));
        args.addAll(List.of(id, "0", waits(id).reserve(reserve).record(), process(next)));
        args.add(waits(next).reserve(reserve).argument());
        connection.send(args.toArray(String[]::new));
    }

    private static String process(String id) {
        return "10000 " + LockRow.inbox(id);
    }

    private static long token(Object reply) {
        return Long.parseLong(String.valueOf(((List<?>) Objects.requireNonNull(reply)).get(0)));
    }

    private static long mark(Object reply) {
        return Long.parseLong(String.valueOf(((List<?>) Objects.requireNonNull(reply)).get(2)));
    }

    private String load(LuaScript script) {
        return String.valueOf(connection.command("SCRIPT", "LOAD", ScriptTexts.of(script)));
    }
}
