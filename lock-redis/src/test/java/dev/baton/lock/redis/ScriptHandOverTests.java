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
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the choice of the next holder, by end.lua. */
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
        assertThat(redis.keys()).doesNotContain(QUEUE, WAIT);
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
        assertThat(redis.keys()).doesNotContain(QUEUE, WAIT);
    }

    @Test
    void silenceIsMeasuredAgainstTheNewestSighting() {
        // all waiters have been silent for longer than three rechecks, as after an outage of Redis
        row.acquire(waits("z:1"));
        row.recheck(1).acquire(waits("b:1"));
        row.end("z:1");
        row.awaitTime(Waiter.parse(row.waiter("b:1")).number("alive") + 1_000);
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void waiterWhoseRecordIsGoneIsRemoved() {
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        redis.command("HDEL", WAIT, "b:1");
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.end("a:1");
            assertThat(b.messages()).isEmpty();
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void pollingWaiterIsGrantedOnlyBeforeItsNextRecheck() {
        row.recheck(40).acquire(polls("gone:1"));
        row.acquire(waits("b:1"));
        Waiter late = Waiter.parse(row.waiter("gone:1"));
        assertThat(late.number("asks")).as("a recheck and a quarter").isEqualTo(late.number("alive") - 70_000);
        row.awaitTime(late.number("asks") + 1);
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.queue()).as("the late waiter keeps its place").containsExactly("gone:1");
        row.recheck(40).acquire(polls("gone:1"));
        row.end("b:1");
        assertThat(row.holder()).isEqualTo("gone:1");
    }

    @Test
    void latePollingWaiterIsNotifiedIfItIsSubscribed() {
        row.recheck(40).acquire(polls("b:1"));
        row.awaitTime(Waiter.parse(row.waiter("b:1")).number("asks") + 1);
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
        assertThat(row.waiting()).containsKeys("deaf:1", "deaf:2");
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
        redis.command("HDEL", WAIT, "seen");
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
        assertThat(row.waiting()).containsOnlyKeys("c:1", "seen");
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
    void numberOfReceiversDoesNotCountInACluster() {
        row.acquire(waits("elsewhere:1"));
        row.acquire(waits("b:1"));
        LockRow cluster = row.inCluster();
        redis.resetStats();
        cluster.end("a:1");
        assertThat(row.holder()).isEqualTo("elsewhere:1");
        assertThat(redis.commandStats()).doesNotContainKeys("pubsub", "pubsub|numsub");
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
        assertThat(redis.keys()).doesNotContain(QUEUE, WAIT);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 200})
    void deafWaitersInFrontDoNotBlockALiveWaiter(int deaf) {
        row.queue(deaf, i -> waits("deaf" + i + ":1"));
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
        assertThat(redis.keys()).doesNotContain(QUEUE, WAIT);
    }

    @Test
    void recordOfALaterVersionIsKeptAndGranted() {
        row.acquire(waits("new:1"));
        String later = row.waiter("new:1")
                .replace("{", "{\"since9\":\"123456789012345678\",\"places\":\"a b\",")
                .replace("\"v\":\"1\"", "\"v\":\"9\"");
        redis.command("HSET", WAIT, "new:1", later);
        row.acquire(waits("c:1"));
        assertThat(row.waiter("new:1")).isEqualTo(later);
        try (Inbox inbox = row.subscribe("new:1")) {
            row.end("a:1");
            assertThat(inbox.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("new:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no json",
                "17",
                "\"text\"",
                "null",
                "{}",
                "without alive",
                "without deadline",
                "without lease",
                "without inbox",
                "without owner",
                "without label"
            })
    void unreadableRecordIsPassedAndKept(String form) {
        row.acquire(polls("other:1"), polls("b:1"));
        String record = row.waiter("other:1");
        String unreadable =
                form.startsWith("without ") ? record.replace('"' + form.substring(8) + '"', "\"unknown\"") : form;
        redis.command("HSET", WAIT, "other:1", unreadable);
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.queue()).containsExactly("other:1");
        assertThat(row.waiter("other:1")).isEqualTo(unreadable);
    }
}
