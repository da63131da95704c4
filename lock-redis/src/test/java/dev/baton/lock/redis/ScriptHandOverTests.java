package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.LockRow.Request;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the choice of the next holder, by release.lua. */
@Tag("scripts")
class ScriptHandOverTests {

    private static final EndResult HOLDER = new EndResult("holder", 0);

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void heldByA() {
        redis.command("FLUSHALL");
        row.acquire(waits("a:1"));
    }

    @Test
    void waiterPastItsDeadlineIsRemovedAndTheNextGranted() {
        row.acquire(waits("late:1").patience(1));
        row.acquire(waits("b:1"));
        row.awaitTime(row.time() + 2_000);
        try (Inbox late = row.subscribe("late:1");
                Inbox b = row.subscribe("b:1")) {
            assertThat(row.end("a:1")).isEqualTo(HOLDER);
            assertThat(late.messages()).isEmpty();
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.keys()).doesNotContain(QUEUE, WAIT);
    }

    @Test
    void waiterWithinItsDeadlineIsGranted() {
        row.acquire(waits("b:1").patience(60_000));
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
    }

    @Test
    void silentWaiterIsRemovedAndTheNextGranted() {
        row.silentThenLive("silent:1");
        try (Inbox silent = row.subscribe("silent:1");
                Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(silent.messages()).isEmpty();
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.keys()).doesNotContain(QUEUE, WAIT);
    }

    @Test
    void silenceIsMeasuredAgainstTheNewestSighting() {
        // all waiters have been silent for a long time, as after an outage of Redis
        row.acquire(waits("z:1"));
        row.recheck(1).acquire(waits("b:1"));
        row.end("z:1");
        row.awaitTime(row.processOf("b:1").until() + 1_000);
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void waiterWhoseProcessIsUnknownIsRemoved() {
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        redis.command("HDEL", WAIT, "b:");
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.end("a:1");
            assertThat(b.messages()).isEmpty();
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void allWaitersOfASilentProcessAreGoneTogether() {
        row.silentThenLive("silent:1");
        row.replaceWaiter("b:1", waits("silent:2").record());
        row.acquire(waits("b:1"));
        try (Inbox silent = row.subscribe("silent:1");
                Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(silent.messages()).isEmpty();
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.queue()).isEmpty();
        assertThat(row.waiting()).doesNotContainKey("silent:");
    }

    /** A process may have waited in another place in the meantime. */
    @Test
    void silenceCountsFromTheBeginOfTheRun() {
        long now = row.time();
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            heardUntil("b:", now - 50_000_000, 30_000_000);
            redis.command("HSET", WAIT, "run", now + " " + (now - 30_000_000) + " 10000000");
            row.end("a:1");
            assertThat(b.messages()).as("not silent in this run").hasSize(1);
            row.end("b:1");
            row.end("c:1");
            row.acquire(waits("a:2"));
            row.acquire(waits("b:2"));
            row.acquire(waits("c:2"));
            heardUntil("b:", now - 50_000_000, 30_000_000);
            redis.command("HSET", WAIT, "run", now + " " + (now - 30_000_001) + " 10000000");
            row.end("a:2");
            assertThat(b.messages()).as("silent in this run").isEmpty();
            assertThat(c.messages()).hasSize(2);
        }
    }

    /** A clock that has stepped back may show a recheck in the future. */
    @Test
    void silenceIsMeasuredAgainstTheTimeOfTheLastRecheck() {
        long later = row.time() + 600_000_000;
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            redis.command("HSET", WAIT, "run", later + " 5 10000000");
            heardUntil("c:", later, 30_000_000);
            row.end("a:1");
            assertThat(b.messages()).isEmpty();
            assertThat(c.messages()).hasSize(1);
        }
    }

    private void heardUntil(String field, long until, long span) {
        redis.command("HSET", WAIT, field, until + " " + span + " 1 m " + LockRow.inbox(field));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "5", "5 x", "5 5", "5 5 x"})
    void waiterIsGrantedWithAnUnreadableRun(String run) {
        row.acquire(waits("b:1"));
        redis.command("HSET", WAIT, "run", run);
        heardUntil("b:", 5, 5);
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
    }

    @Test
    void pollingWaiterIsGrantedOnlyBeforeItsNextRecheck() {
        row.recheck(40).acquire(polls("gone:1"));
        row.acquire(waits("b:1"));
        WaitingProcess late = row.processOf("gone:1");
        assertThat(late.asking()).as("a recheck and a quarter").isEqualTo(late.until() - 110_000);
        row.awaitTime(late.asking() + 1);
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.queue()).as("the late waiter keeps its place").containsExactly("gone:1");
        row.recheck(40).acquire(polls("gone:1"));
        row.end("b:1");
        assertThat(row.holder()).isEqualTo("gone:1");
    }

    @ParameterizedTest
    @ValueSource(longs = {109_000_000, 111_000_000})
    void pollingWaiterIsGrantedForARecheckAndAQuarter(long left) {
        row.acquire(polls("p:1"));
        long until = row.time() + left;
        redis.command("HSET", WAIT, "p:", until + " 160000000 1 p " + LockRow.inbox("p:1"));
        row.end("a:1");
        assertThat(row.holder()).isEqualTo(left < 110_000_000 ? "none" : "p:1");
    }

    @Test
    void latePollingWaiterIsNotifiedIfItIsSubscribed() {
        row.recheck(40).acquire(polls("b:1"));
        row.awaitTime(row.processOf("b:1").asking() + 1);
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void deafWaiterKeepsItsPlaceWhileTheNextIsGranted() {
        row.acquire(waits("deaf:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        double arrival = row.arrival("deaf:1");
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.queue()).containsExactly("deaf:1", "c:1");
        assertThat(row.arrival("deaf:1")).isEqualTo(arrival);
        try (Inbox deaf = row.subscribe("deaf:1")) {
            row.end("b:1");
            assertThat(deaf.messages())
                    .as("subscribed again, and first in the queue")
                    .hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("deaf:1");
    }

    @Test
    void lockWithOnlyDeafWaitersIsFree() {
        row.acquire(waits("deaf:1"), waits("deaf:2"));
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(row.lock()).isEmpty();
        assertThat(row.queue()).containsExactly("deaf:1", "deaf:2");
        assertThat(row.waiting()).containsOnlyKeys("deaf:", "run");
        assertThat(redis.ttl(QUEUE)).isBetween(139_000L, 140_000L);
    }

    /** The usual case takes the waiter from the queue, and puts it back. */
    @Test
    void queueOfASingleDeafWaiterStillExpires() {
        row.acquire(waits("deaf:1"));
        double arrival = row.arrival("deaf:1");
        row.end("a:1");
        assertThat(row.queue()).containsExactly("deaf:1");
        assertThat(row.arrival("deaf:1")).isEqualTo(arrival);
        assertThat(redis.ttl(QUEUE)).isBetween(139_000L, 140_000L);
    }

    @Test
    void inboxOfManyWaitersIsCheckedOnce() {
        row.acquire(IntStream.range(0, 100).mapToObj(i -> waits("deaf:" + i)).toArray(Request[]::new));
        redis.resetStats();
        row.end("a:1");
        long asked = redis.commandStats().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("pubsub"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(asked)
                .as("once by the usual case, and once by the general script")
                .isEqualTo(2);
        assertThat(redis.commandStats()).doesNotContainKey("publish");
    }

    @Test
    void queueIsReadInPages() {
        row.queue(1_000, i -> waits("dead:" + i).patience(1));
        row.awaitTime(row.time() + 2_000);
        redis.resetStats();
        row.end("a:1");
        assertThat(redis.commandStats().get("zrange")).isLessThan(20);
    }

    @Test
    void moreIsNotAnsweredIfNoWaiterWasRemoved() {
        row.queue(1_500, i -> waits("deaf:" + i));
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(row.queue()).hasSize(1_500);
    }

    @Test
    void queueWithoutATimeOfTheLastAcquireIsServed() {
        row.acquire(polls("p:1"));
        redis.command("HDEL", WAIT, "run");
        row.end("a:1");
        assertThat(row.holder()).isEqualTo("p:1");
    }

    @Test
    void waiterThatLeavesAFreeLockIsNotGranted() {
        row.acquire(polls("p:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        row.expire();
        assertThat(row.end("b:1")).isEqualTo(new EndResult("waiter", 0));
        assertThat(row.holder()).isEqualTo("p:1");
        assertThat(row.queue()).containsExactly("c:1");
        assertThat(row.waiting()).containsOnlyKeys("p:", "b:", "c:", "run");
    }

    @Test
    void monitorOfAllChannelsIsNoReceiver() {
        row.acquire(waits("deaf:1"));
        row.acquire(waits("b:1"));
        try (RespConnection monitor = redis.connect();
                Inbox b = row.subscribe("b:1")) {
            monitor.command("PSUBSCRIBE", "*");
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.queue()).containsExactly("deaf:1");
    }

    @Test
    void pollingWaiterIsGrantedWithoutAMessage() {
        row.acquire(polls("p:1"));
        row.acquire(waits("b:1"));
        redis.resetStats();
        row.end("a:1");
        assertThat(redis.commandStats()).doesNotContainKeys("publish", "pubsub", "pubsub|numsub");
        assertThat(row.holder()).isEqualTo("p:1");
        assertThat(row.acquire(polls("p:1")).answers()).containsExactly("granted " + row.fence() + " 1");
    }

    @Test
    void waiterFindsItsGrantByARepeatIfTheMessageWasLost() {
        row.acquire(waits("b:1"));
        String token;
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            token = b.messages().get(0).split(" ")[3];
        }
        AcquireResult repeat = row.acquire(waits("b:1"));
        assertThat(repeat.answers()).containsExactly("granted " + token + " 1");
        assertThat(repeat.mark()).isEqualTo(token);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 200, 1_000})
    void deadWaitersInFrontDoNotBlockALiveWaiter(int dead) {
        row.queue(dead, i -> waits("dead:" + i).patience(1));
        row.acquire(waits("b:1"));
        row.awaitTime(row.time() + 2_000);
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.end("a:1")).isEqualTo(HOLDER);
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.keys()).doesNotContain(QUEUE, WAIT);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 200, 1_023})
    void deafWaitersInFrontDoNotBlockALiveWaiter(int deaf) {
        IntStream.range(0, deaf).forEach(i -> row.acquire(waits("deaf" + i + ":1")));
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.end("a:1")).isEqualTo(HOLDER);
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.queue()).hasSize(deaf).startsWith("deaf0:1", "deaf1:1");
    }

    @Test
    void moreIsAnsweredUntilTheDeadWaitersInFrontAreGone() {
        row.queue(1_500, i -> waits("dead:" + i).patience(1));
        row.acquire(waits("b:1"));
        row.awaitTime(row.time() + 2_000);
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.end("a:1")).isEqualTo(new EndResult("holder", 1));
            assertThat(row.lock()).isEmpty();
            assertThat(row.end("a:1")).isEqualTo(new EndResult("nothing", 0));
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.keys()).doesNotContain(QUEUE, WAIT);
    }

    @Test
    void fieldsOfALaterVersionAreKeptAndIgnored() {
        row.acquire(waits("new:1"));
        String later = row.waiter("new:1") + " later=1 x";
        row.replaceWaiter("new:1", later);
        row.acquire(waits("c:1"));
        assertThat(row.waiter("new:1")).isEqualTo(later);
        try (Inbox inbox = row.subscribe("new:1")) {
            row.end("a:1");
            assertThat(inbox.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("new:1");
        assertThat(row.queue()).containsExactly("c:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no-record",
                "no record of this kind",
                "2",
                "2 x",
                "3 x other:1 60000 -1 0 owner label",
                "1 x other:1 60000 -1 0 owner label",
                "2 q other:1 60000 -1 0 owner label",
                "2 x other:1 0 -1 0 owner label",
                "2 x other:1 x -1 0 owner label",
                "2 x other:1 60000 x 0 owner label",
                "2 x other:1 60000 -1 x owner label",
                "2 x other:1 60000 -1 -1 owner label",
                "2 x other:1 60000 -1 0 owner",
                "2  other:1 60000 -1 0 owner label"
            })
    void unreadableRecordIsPassedAndKept(String record) {
        row.acquire(polls("other:1"));
        row.acquire(polls("b:1"));
        row.replaceWaiter("other:1", record);
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of(record));
        assertThat(redis.ttl(QUEUE)).isBetween(139_000L, 140_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "9000000000000000", "9000000000000000 5 m", "x 5 m inbox", "9000000000000000 x m inbox"
            })
    void waiterOfAnUnreadableProcessIsRemoved(String process) {
        row.acquire(waits("b:1"));
        row.acquire(polls("c:1"));
        redis.command("HSET", WAIT, "b:", process);
        row.end("a:1");
        assertThat(row.holder()).isEqualTo("c:1");
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void waiterHasTheLeaseAndTheNamesOfItsRecord() {
        row.acquire(polls("b:1").lease(7_000));
        row.replaceWaiter("b:1", "2 x b:1 7000 -1 0  a%2520b%20c");
        row.end("a:1");
        assertThat(row.lock()).containsEntry("owner", "").containsEntry("label", "a%20b c");
        assertThat(String.valueOf(redis.command("GET", LockRow.LOCK))).endsWith("  a%2520b%20c");
        assertThat(redis.ttl(LockRow.LOCK)).isBetween(6_000L, 7_000L);
    }
}
