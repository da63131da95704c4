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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the short scripts for the usual cases have the same effects as the general script in every state. */
@Tag("scripts")
class UsualCaseTests {

    private static final int CASES = 300;

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
    void acquireForSeveralWaitersHasTheSameEffectsWithoutTheUsualCases() {
        assertSame(LuaScript.ACQUIRE, LockStates::acquireAgain);
    }

    @Test
    void endHasTheSameEffectsWithoutTheUsualCases() {
        assertSame(LuaScript.END, LockStates::end);
    }

    @Test
    void exchangeHasTheSameEffectsWithoutTheUsualCases() {
        assertSame(LuaScript.EXCHANGE, LockStates::exchange);
    }

    private void assertSame(LuaScript script, Function<LockStates, Case> next) {
        long seed = Long.getLong("baton.seed", 20_240_229);
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

    @ParameterizedTest
    @ValueSource(strings = {"mode", "id", "token", "owner", "label", "since"})
    void heldLockWithAMissingFieldHasTheSameAnswer(String lacking) {
        List<String> lock = new ArrayList<>(List.of("HSET", LOCK));
        for (String field : List.of("mode", "id", "token", "owner", "label", "since")) {
            if (!field.equals(lacking)) {
                lock.addAll(List.of(field, "600"));
            }
        }
        assertSame(LuaScript.ACQUIRE, LockStates.acquire(waits(ME)).after(List.of(lock)));
        List<List<String>> state = List.of(lock, List.of("ZADD", QUEUE, "1", ME, "2", "a:2"));
        assertSame(
                LuaScript.ACQUIRE, LockStates.acquire(waits(ME), waits("a:2")).after(state));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "kind", "lease", "deadline", "alive", "inbox", "owner", "label", "reserve"})
    void waiterWithAMissingOrInvalidFieldIsServedInTheSameWay(String field) {
        String record = """
                {"kind":"message","lease":"20000","deadline":"0","alive":"10","inbox":"%s",\
                "owner":"o","label":"l","reserve":"32"}""".formatted(LockRow.inbox("b:1"));
        Pattern known = Pattern.compile("\"" + field + "\":\"[^\"]*\"");
        for (String waiter : List.of("b:1", OWN)) {
            for (String other : List.of("\"none\":\"1\"", "\"" + field + "\":\"x\"")) {
                String changed = known.matcher(record).replaceFirst(other);
                List<List<String>> state = List.of(
                        List.of("HSET", LOCK, "mode", "x", "id", ME),
                        List.of("ZADD", QUEUE, "1", waiter),
                        // exactly three rechecks old, measured from the last acquire, which may be an exchange
                        List.of("HSET", WAIT, waiter, changed, "seen", "10"));
                assertSame(LuaScript.END, LockStates.end(ME).after(state));
                assertSame(
                        LuaScript.EXCHANGE,
                        LockStates.exchange(ME, waits("a:2")).after(state));
            }
        }
    }

    @Test
    void exchangeOfALockWithoutAFenceIsTheSame() {
        List<List<String>> state = List.of(List.of("HSET", LOCK, "mode", "x", "id", ME));
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
    void repeatOfSeveralWaitersIsUsual() {
        row.acquire(waits("c:1"));
        row.acquire(waits(ME).reserve(32));
        row.acquire(waits("b:1"));
        row.acquire(polls("a:2").patience(60_000));
        Case repeat = LockStates.acquire(waits(ME).reserve(32), polls("a:2").patience(60_000));
        assertUsual(LuaScript.ACQUIRE, repeat);
        assertThat(row.queue()).containsExactly(ME, "b:1", "a:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void repeatOfSeveralDeafWaitersHasTheSameAnswer(String receivers) {
        Case repeat = LockStates.acquire(waits(ME), waits("a:2"));
        List<String> args = new ArrayList<>(repeat.args());
        args.set(0, receivers);
        args.set(1, "lock:inbox:deaf");
        List<List<String>> state = List.of(
                List.of("HSET", LOCK, "mode", "x", "id", "c:1", "token", "7", "owner", "o", "label", "l", "since", "6"),
                List.of("ZADD", QUEUE, "1", ME, "2", "a:2"));
        assertSame(LuaScript.ACQUIRE, new Case(state, repeat.keys(), args));
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
        assertUsual(LuaScript.END, LockStates.end(ME));
        row.acquire(waits(ME));
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1").patience(60_000).reserve(32));
        assertUsual(LuaScript.END, LockStates.end(ME));
        assertUsual(LuaScript.END, LockStates.end("b:1"));
        assertThat(row.holder()).isEqualTo("c:1");
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void endOfAHolderIsUsualWithAWaiterOfItsProcess() {
        row.acquire(waits(ME));
        row.acquire(waits(OWN).reserve(32));
        row.acquire(waits("b:1"));
        redis.resetStats();
        assertUsual(LuaScript.END, LockStates.end(ME));
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
