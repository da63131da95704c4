package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockStates.ME;
import static dev.baton.lock.redis.LockStates.OWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Request;
import dev.baton.lock.redis.LockStates.Case;
import dev.baton.lock.redis.script.LuaScript;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the usual cases of the scripts have the same effects as the general script in every state. */
@Tag("scripts")
class UsualCaseTests {

    private static final int CASES = 300;

    private static final String FAR_PROCESS = "9000000000000000 30000000 m INBOX";

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ScriptRuns runs = new ScriptRuns(redis, LockStates.INBOXES);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        runs.close();
    }

    @Test
    void acquireHasTheSameEffectsWithoutTheUsualCases() {
        assertSame(LuaScript.ACQUIRE, LockStates::acquire);
    }

    @Test
    void endHasTheSameEffectsWithoutTheUsualCases() {
        assertSame(LuaScript.RELEASE, LockStates::end);
    }

    @Test
    void exchangeHasTheSameEffectsWithoutTheUsualCases() {
        assertSame(LuaScript.EXCHANGE, LockStates::exchange);
    }

    private void assertSame(LuaScript script, Function<LockStates, Case> next) {
        long seed = Long.getLong("test.seed", 20_240_229);
        LockStates states = new LockStates(new Random(seed));
        String whole = runs.load(ScriptTexts.of(script));
        String general = runs.load(ScriptTexts.general(script));
        String usual = runs.load(ScriptTexts.usual(script));
        int answered = 0;
        for (int i = 0; i < CASES; i++) {
            Case each = next.apply(states);
            assertThat(runs.run(whole, each))
                    .as("seed %d, case %d: %s", seed, i, each)
                    .isEqualTo(runs.run(general, each));
            answered += runs.isGeneral(usual, each) ? 0 : 1;
        }
        assertThat(answered).as("answered without the general script").isBetween(CASES / 10, CASES * 9 / 10);
    }

    static Stream<String> locks() {
        return Stream.of(
                "2 x c:1 7 6 owner label",
                "2 x c:1 7 6 owner label later",
                "2 x c:1 7 6 owner",
                "2 x c:1 7 6  ",
                "2 x",
                "2 s c:1 7 6 owner label",
                "2 s a:1 7 6 owner label",
                "2 x a:1 7 6 owner label",
                "2 x a:12 7 6 owner label",
                "2 x  7 6 owner label",
                "3 x c:1 7 6 owner label",
                "3 x a:1 7 6 owner label",
                "20 x a:1 7 6 owner label",
                "x",
                "");
    }

    @ParameterizedTest
    @MethodSource("locks")
    void lockWithAnyTextHasTheSameAnswer(String text) {
        List<List<String>> state = List.of(List.of("SET", LOCK, text, "PX", "60000"));
        for (Request request : List.of(waits(ME), tries(ME), polls(ME))) {
            assertSame(LuaScript.ACQUIRE, LockStates.acquire(request).after(state));
        }
        assertSame(LuaScript.RELEASE, LockStates.end(ME).after(state));
        assertSame(LuaScript.EXCHANGE, LockStates.exchange(ME, waits("a:2")).after(state));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 x ID 20000 -1 32 o l",
                "2 x ID 20000 -1 32 o l later",
                "2 x ID 20000 -1 32  ",
                "2 x ID 20000 -1 32 o",
                "2 x ID 20000 -1 x o l",
                "2 x ID 20000 x 32 o l",
                "2 x ID x -1 32 o l",
                "2 x ID 0 -1 32 o l",
                "2 x ID 20000 5 32 o l",
                "2 x ID 20000 -1 32 o l 5 lock:lock:{orders.1}",
                "2 s ID 20000 -1 32 o l",
                "3 x ID 20000 -1 32 o l",
                "x"
            })
    void waiterWithAnyRecordIsServedInTheSameWay(String record) {
        for (String waiter : List.of("b:1", OWN)) {
            List<List<String>> state = waiting(record.replace("ID", waiter), waiter, FAR_PROCESS, "10 5");
            assertSame(LuaScript.RELEASE, LockStates.end(ME).after(state));
            assertSame(LuaScript.EXCHANGE, LockStates.exchange(ME, waits("a:2")).after(state));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "9000000000000000 30000000 m INBOX, 10 5 5",
        "9000000000000000 30000000 p INBOX, 10 5 5",
        "9000000000000000 30000000 q INBOX, 10 5 5",
        "9000000000000000 30000000 m lock:inbox:deaf, 10 5 5",
        "9000000000000000 30000000 m INBOX, 9000000000000001 5",
        "9000000000000000 30000000 m INBOX, 9000000000000000 5",
        "9000000000000000 30000000 m INBOX, 9000000000000001 8999999999999999",
        "9000000000000000 30000000 m INBOX, x",
        "5 5 1 m INBOX, 11 5",
        "5 5 1 m INBOX, 10 5 5",
        "5 5 1 m INBOX, 5 5 5",
        "5 5 1 p INBOX, 10 5 5",
        "x 5 1 m INBOX, 10 5 5",
        "5 x 1 m INBOX, 10 5 5",
        "5 5 1 m, 10 5 5",
        "x, 10 5 5"
    })
    void waiterOfAnyProcessIsServedInTheSameWay(String process, String run) {
        for (String waiter : List.of("b:1", OWN)) {
            List<List<String>> state = waiting("2 x ID 20000 -1 32 o l".replace("ID", waiter), waiter, process, run);
            assertSame(LuaScript.RELEASE, LockStates.end(ME).after(state));
            assertSame(LuaScript.EXCHANGE, LockStates.exchange(ME, waits("a:2")).after(state));
            assertSame(LuaScript.EXCHANGE, LockStates.exchange(ME, polls("a:2")).after(state));
        }
    }

    /** Returns a state in which this request holds the lock, and one other waits. */
    private static List<List<String>> waiting(String record, String waiter, String process, String run) {
        return List.of(
                List.of("SET", LOCK, "2 x " + ME + " 7 6 o l"),
                List.of("ZADD", QUEUE, "1", record),
                List.of("PEXPIRE", QUEUE, "20000"),
                List.of(
                        "HSET",
                        WAIT,
                        LockRow.field(waiter),
                        process.replace("INBOX", LockRow.inbox(waiter)),
                        "run",
                        run),
                List.of("PEXPIRE", WAIT, "20000"));
    }

    @Test
    void exchangeOfALockWithoutAFenceIsTheSame() {
        List<List<String>> state = List.of(List.of("SET", LOCK, "2 x " + ME + " 7 6 o l"));
        assertSame(LuaScript.EXCHANGE, LockStates.exchange(ME, waits("a:2")).after(state));
    }

    private void assertSame(LuaScript script, Case each) {
        assertThat(runs.run(runs.load(ScriptTexts.of(script)), each))
                .as("%s", each)
                .isEqualTo(runs.run(runs.load(ScriptTexts.general(script)), each));
    }

    static Stream<Request> requests() {
        return Stream.of(
                waits(ME),
                polls(ME),
                tries(ME),
                waits(ME).reserve(32),
                waits(ME).patience(0));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void requestForAFreeOrAHeldLockIsUsual(Request request) {
        assertUsual(LuaScript.ACQUIRE, LockStates.acquire(request));
        row.end(ME);
        row.acquire(waits("c:1"));
        assertUsual(LuaScript.ACQUIRE, LockStates.acquire(request));
        assertUsual(LuaScript.ACQUIRE, LockStates.acquire(request));
        row.acquire(waits("b:1"));
        assertUsual(LuaScript.ACQUIRE, LockStates.acquire(request));
    }

    @Test
    void acquireOfAKeptLockIsUsual() {
        row.acquire(waits("c:1"));
        row.end("c:1", 0, 60_000);
        assertUsual(LuaScript.ACQUIRE, LockStates.acquire(waits(ME)));
    }

    @Test
    void endOfAHolderIsUsualWithoutWaitersOrWithASubscribedWaiter() {
        row.acquire(waits(ME));
        assertUsual(LuaScript.RELEASE, LockStates.end(ME));
        row.acquire(waits(ME));
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1").patience(60_000).reserve(32));
        assertUsual(LuaScript.RELEASE, LockStates.end(ME));
        assertUsual(LuaScript.RELEASE, LockStates.end("b:1"));
        assertThat(row.holder()).isEqualTo("c:1");
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void endOfAHolderIsUsualWithAWaiterOfItsProcess() {
        row.acquire(waits(ME));
        row.acquire(waits(OWN).reserve(32));
        row.acquire(waits("b:1"));
        redis.resetStats();
        assertUsual(LuaScript.RELEASE, LockStates.end(ME));
        assertThat(redis.commandStats()).doesNotContainKeys("publish", "pubsub", "pubsub|numsub");
        assertThat(row.holder()).isEqualTo(OWN);
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void exchangeOfAHolderIsUsualWithoutWaitersOrWithASubscribedWaiter() {
        row.acquire(waits(ME));
        assertUsual(LuaScript.EXCHANGE, LockStates.exchange(ME, waits("a:2")));
        assertThat(row.holder()).isEqualTo("a:2");
        row.acquire(waits("b:1"));
        assertUsual(LuaScript.EXCHANGE, LockStates.exchange("a:2", waits("a:3").reserve(32)));
        assertThat(row.holder()).isEqualTo("b:1");
        assertUsual(LuaScript.EXCHANGE, LockStates.exchange("b:1", waits("b:2")));
        assertThat(row.holder()).isEqualTo("a:3");
    }

    private void assertUsual(LuaScript script, Case call) {
        assertThat(runs.call(runs.load(ScriptTexts.usual(script)), call)).isInstanceOf(List.class);
    }

    @Test
    void deafWaiterIsLeftToTheGeneralScript() {
        LockRow mute = row.as("mute", "~lock:*", "resetchannels", DocumentedCommands.rights());
        row.acquire(waits(ME).lease(5_000));
        row.acquire(waits("b:1"));
        row.acquire(polls("p:1"));
        mute.end(ME);
        assertThat(row.holder()).isEqualTo("p:1");
        assertThat(redis.ttl(LOCK)).as("the lease of the new holder").isBetween(LockRow.LEASE - 1_000, LockRow.LEASE);
        assertThat(row.queue()).containsExactly("b:1");
    }
}
