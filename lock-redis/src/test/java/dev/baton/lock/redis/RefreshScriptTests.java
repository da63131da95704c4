package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Request;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how acquire.lua records that a waiting process is alive. */
@Tag("scripts")
class RefreshScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void repeatKeepsThePlaceAndRefreshesTheProcess() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        double arrival = row.arrival("b:1");
        String record = row.waiter("b:1");
        long before = row.time();
        row.recheck(20_000).acquire(polls("b:1"));

        assertThat(row.queue()).containsExactly("b:1", "c:1");
        assertThat(row.arrival("b:1")).isEqualTo(arrival);
        assertThat(row.waiter("b:1")).isEqualTo(record);
        WaitingProcess process = row.processOf("b:1");
        assertThat(process.kind()).isEqualTo("p");
        assertThat(process.until()).isGreaterThanOrEqualTo(before + 80_000_000);
        assertThat(process.span()).isEqualTo(80_000_000);
        assertThat(seen()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void aliveTimeNeverFalls() {
        row.acquire(waits("a:1"));
        row.recheck(20_000).acquire(polls("b:1"));
        WaitingProcess process = row.processOf("b:1");
        row.recheck(1_000).acquire(polls("b:1"));
        assertThat(row.processOf("b:1")).isEqualTo(process);
    }

    @Test
    void processThatWasHeardJustNowIsNotRefreshed() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        Map<String, String> before = row.waiting();
        redis.resetStats();
        row.acquire(waits("b:1"));
        row.acquire(waits("b:2"));
        row.acquire(waits("b:1"), waits("b:3"));
        assertThat(row.waiting()).isEqualTo(before);
        assertThat(redis.commandStats()).doesNotContainKeys("hset", "pexpire", "pubsub", "pubsub|numsub");
        assertThat(row.queue()).containsExactly("b:1", "b:2", "b:3");
    }

    @ParameterizedTest
    @CsvSource({"-40000000, true", "-8000000, true", "-7000000, false"})
    void processIsRefreshedAfterAQuarterOfARecheck(long ago, boolean refreshed) {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        // with a recheck of 30 s
        String process = row.time() + ago + 120_000_000 + " 120000000 5 m " + LockRow.inbox("b:1");
        redis.command("HSET", WAIT, "b:", process);
        AcquireResult reply = row.recheck(30_000).acquire(waits("b:1"));
        assertThat(row.waiting().get("b:").equals(process)).isEqualTo(!refreshed);
        assertThat(reply.deaf()).isEqualTo(refreshed ? 1 : 0);
    }

    /** Redis's clock may have stepped back. */
    @ParameterizedTest
    @CsvSource({"14000000, 120000000", "-1000000, 105000000"})
    void processIsRefreshedIfItWasHeardInTheFutureOrForAShorterRecheck(long ago, long span) {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.replaceProcess("b:1", row.time() + ago + span + " " + span + " 5 m " + LockRow.inbox("b:1"));
        assertThat(row.recheck(30_000).acquire(waits("b:1")).deaf()).isOne();
    }

    @Test
    void changeOfTheKindRefreshesTheProcess() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(polls("b:1"));
        assertThat(row.processOf("b:1").kind()).isEqualTo("p");
        row.acquire(waits("b:1"));
        assertThat(row.processOf("b:1").kind()).isEqualTo("m");
    }

    @Test
    void pollingProcessIsRefreshedByEachAcquire() {
        row.acquire(waits("a:1"));
        row.acquire(polls("b:1"));
        long until = row.processOf("b:1").until();
        row.acquire(polls("b:1"));
        assertThat(row.processOf("b:1").until()).isGreaterThan(until);
    }

    @Test
    void rechecksWithoutAPauseBelongToTheSameRun() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        String began = row.waiting().get("run").split(" ")[1];
        row.acquire(waits("c:1"));
        assertThat(row.waiting().get("run")).endsWith(" " + began + " 10000000");
        assertThat(seen()).isGreaterThan(Long.parseLong(began));
    }

    @ParameterizedTest
    @CsvSource({
        "10000000, 14000000, false",
        "10000000, 16000000, true",
        "5000000, 7000000, false",
        "5000000, 8000000, true",
        "20000000, 16000000, true"
    })
    void runBeginsAgainAfterOneAndAHalfOfTheShortestRecheck(long least, long ago, boolean again) {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        redis.command("HSET", WAIT, "run", row.time() - ago + " 5 " + least);
        row.acquire(waits("c:1"));
        String[] run = row.waiting().get("run").split(" ");
        assertThat(run[1]).isEqualTo(again ? run[0] : "5");
        assertThat(Long.parseLong(run[2])).isEqualTo(again ? 10_000_000 : least);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "5", "5 x", "5 5", "5 5 x"})
    void unreadableRunBeginsAgain(String run) {
        row.acquire(waits("a:1"));
        redis.command("HSET", WAIT, "run", run);
        row.acquire(waits("b:1"));
        assertThat(row.waiting().get("run")).isEqualTo(seen() + " " + seen() + " 10000000");
    }

    private long seen() {
        return Long.parseLong(row.waiting().get("run").split(" ")[0]);
    }

    @Test
    void eachRefreshExtendsTheLifeOfTheQueueToFourteenRechecks() {
        row.acquire(waits("a:1"));
        row.recheck(1_000).acquire(polls("b:1"));
        assertThat(redis.ttl(QUEUE)).isBetween(13_000L, 14_000L);
        assertThat(redis.ttl(WAIT)).isBetween(13_000L, 14_000L);
        redis.command("PEXPIRE", QUEUE, "2500");
        row.recheck(1_000).acquire(polls("b:1"));
        assertThat(redis.ttl(QUEUE)).isBetween(13_000L, 14_000L);
        row.recheck(20_000).acquire(waits("c:1"));
        row.recheck(1_000).acquire(polls("b:1"));
        assertThat(redis.ttl(QUEUE)).isBetween(279_000L, 280_000L);
        assertThat(redis.ttl(WAIT)).isBetween(279_000L, 280_000L);
    }

    /** The process is not refreshed, but its new queue needs an expiry. */
    @ParameterizedTest
    @ValueSource(strings = {"b:2", "b:2 b:3"})
    void newQueueLivesAsLongAsItsProcesses(String ids) {
        Request[] requests = Stream.of(ids.split(" ")).map(Request::waits).toArray(Request[]::new);
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.end("b:1");
        assertThat(redis.keys()).containsExactly(FENCE, LOCK, WAIT);
        row.acquire(requests);
        assertThat(redis.ttl(QUEUE)).isBetween(139_000L, 140_000L);

        row.recheck(20_000).acquire(waits("c:1"));
        Stream.of("b:2", "b:3", "c:1").forEach(row::end);
        row.acquire(requests);
        assertThat(redis.ttl(QUEUE)).isBetween(279_000L, 280_000L);
        Stream.of("b:2", "b:3").forEach(row::end);
        row.acquire(polls("b:2"));
        assertThat(redis.ttl(QUEUE)).as("after a refresh").isBetween(279_000L, 280_000L);
    }

    /** Other processes may have been granted the lock while nothing was known of it. */
    @Test
    void forgottenProcessGetsNewPlacesInItsOrder() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"), waits("b:2"), waits("b:3"));
        row.acquire(waits("c:1"));
        redis.command("HDEL", WAIT, "b:");
        assertThat(row.acquire(waits("b:1")).fresh()).isOne();
        assertThat(row.queue()).containsExactly("b:2", "b:3", "c:1", "b:1");
        assertThat(row.acquire(waits("b:1")).fresh()).as("again").isZero();
        assertThat(row.acquire(waits("b:2"), waits("b:3")).fresh()).isOne();
        assertThat(row.acquire(waits("b:3")).fresh()).isZero();
        assertThat(row.queue()).containsExactly("c:1", "b:1", "b:2", "b:3");
    }

    /** The process is known again, but the old place of its other request is from before. */
    @Test
    void eachRequestOfAForgottenProcessGetsANewPlace() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"), waits("b:2"));
        row.acquire(waits("c:1"));
        redis.command("HDEL", WAIT, "b:");
        assertThat(row.acquire(waits("b:1")).fresh()).isOne();
        assertThat(row.acquire(waits("b:2")).fresh()).isOne();
        assertThat(row.queue()).containsExactly("c:1", "b:1", "b:2");
        assertThat(row.acquire(waits("b:2")).fresh()).isZero();
    }

    /** A request that the process has given up meanwhile stays until a search meets it. */
    @Test
    void oldPlacesOfAForgottenProcessAreNotServed() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"), waits("b:2"));
        row.acquire(waits("c:1"));
        redis.command("HDEL", WAIT, "b:");
        row.acquire(waits("b:2"));
        try (LockRow.Inbox b = row.subscribe("b:1");
                LockRow.Inbox c = row.subscribe("c:1")) {
            row.end("a:1");
            assertThat(c.messages()).hasSize(1);
            assertThat(b.messages()).isEmpty();
            assertThat(row.queue()).containsExactly("b:2");
            row.end("c:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:2");
    }

    @Test
    void oldPlaceAtTheFrontIsGivenUpWhenTheLockIsFree() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        redis.command("HDEL", WAIT, "b:");
        redis.command("DEL", LOCK);
        try (LockRow.Inbox c = row.subscribe("c:1")) {
            assertThat(row.acquire(waits("b:1")).answers()).containsExactly("busy");
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void refreshKeepsSinceWhenTheProcessIsKnown() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        long born = row.processOf("b:1").born();
        row.acquire(polls("b:1"));
        assertThat(row.processOf("b:1").born()).isEqualTo(born);
    }
}
