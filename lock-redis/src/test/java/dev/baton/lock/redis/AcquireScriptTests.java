package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LEASE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.RECHECK;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.LockRow.Request;
import dev.baton.lock.store.Tokens;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the replies and writes of acquire.lua, except the hand-over that it shares with release.lua. */
@Tag("scripts")
class AcquireScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"try", "message", "poll"})
    void freeLockIsGranted(String kind) {
        Request request = new Request("a:1", kind, LEASE, 5_000);
        redis.command("SET", FENCE, "1");
        long before = row.time();
        AcquireResult reply = row.acquire(request);
        long after = row.time();

        assertThat(reply.answers()).containsExactly("granted " + row.fence() + " 0");
        assertThat(reply.more()).isZero();
        assertThat(reply.holder()).isEmpty();
        assertThat(reply.mark()).isEqualTo(reply.token());
        assertThat(Long.parseLong(reply.token()))
                .as("the clock in us")
                .isBetween(before, after + 1)
                .isOdd();
        assertThat(redis.command("GET", LOCK))
                .isEqualTo("2 x a:1 " + reply.token() + " " + row.lock().get("since")
                        + " owner-a:1 label%20\"a:1\"%20\\%20ü");
        assertThat(row.lock())
                .containsEntry("mode", "x")
                .containsEntry("id", "a:1")
                .containsEntry("token", reply.token())
                .containsEntry("owner", request.owner())
                .containsEntry("label", request.label());
        assertThat(Long.parseLong(row.lock().get("since"))).isBetween(before, after);
        assertThat(redis.ttl(LOCK)).isBetween(LEASE - 1_000, LEASE);
        assertThat(redis.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void grantBeginsNowAlthoughItsTokenIsAheadOfTheClock() {
        redis.command("SET", FENCE, "9000000000000000");
        long before = row.time();
        assertThat(row.acquire(waits("a:1")).token()).isEqualTo("9000000000000001");
        assertThat(Long.parseLong(row.lock().get("since"))).isBetween(before, row.time());
    }

    @Test
    void uncontendedLockIsGrantedWithoutAMessage() {
        redis.resetStats();
        row.acquire(waits("a:1"));
        assertThat(redis.commandStats()).containsEntry("evalsha", 1L).doesNotContainKeys("publish", "pubsub");
    }

    @Test
    void tokenIsGreaterThanTheFenceOnAnyClock() {
        redis.command("SET", FENCE, "9000000000000002");
        assertThat(row.acquire(tries("a:1")).token()).isEqualTo("9000000000000003");
        assertThat(row.fence()).isEqualTo("9000000000000003");
        assertThat(redis.ttl(FENCE)).isEqualTo(-1);
    }

    /** Every token from before a loss of data is smaller. */
    @Test
    void firstTokenOfAServerIsAsFarAheadOfTheClockAsPossible() {
        long before = row.time();
        assertThat(Long.parseLong(row.acquire(tries("a:1")).token()))
                .isBetween(before + Tokens.MOST_AHEAD, row.time() + Tokens.MOST_AHEAD + 1)
                .isOdd();
    }

    @Test
    void tokensGrowAcrossReleaseExpiryAndDelete() {
        long first = Long.parseLong(row.acquire(tries("a:1")).token());
        row.end("a:1");
        long second = Long.parseLong(row.acquire(tries("a:2")).token());
        row.expire();
        long third = Long.parseLong(row.acquire(tries("a:3")).token());
        redis.command("DEL", LOCK);
        long fourth = Long.parseLong(row.acquire(tries("a:4")).token());
        assertThat(List.of(first, second, third, fourth)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void heldLockAnswersBusyWithItsHolder() {
        Request holder = waits("a:1");
        String token = row.acquire(holder).token();
        row.awaitTime(row.time() + 5_000);
        AcquireResult reply = row.acquire(tries("b:1"));

        assertThat(reply.answers()).containsExactly("busy");
        assertThat(reply.more()).isZero();
        assertThat(reply.mark()).isEqualTo(token);
        assertThat(reply.holder().subList(0, 4))
                .asString()
                .isEqualTo(List.of("a:1", token, holder.owner(), holder.label()).toString());
        assertThat((Long) reply.holder().get(4)).as("held ms").isBetween(5L, 1_000L);
        assertThat((Long) reply.holder().get(5)).as("remaining ms").isBetween(LEASE - 1_000, LEASE - 1);
    }

    @Test
    void requestThatDoesNotWaitLeavesNoTrace() {
        row.acquire(waits("a:1"));
        Map<String, String> before = row.lock();
        row.acquire(tries("b:1"));
        assertThat(redis.keys()).containsExactly(FENCE, LOCK);
        assertThat(row.lock()).isEqualTo(before);
    }

    @Test
    void waitingRequestJoinsTheQueueWithItsRecord() {
        row.acquire(waits("a:1"));
        Request waiter = new Request("b:1", "message", 4_000, 2_500).reserve(7);
        long before = row.time();
        assertThat(row.acquire(waiter).answers()).containsExactly("busy");
        long after = row.time();

        assertThat(row.queue()).containsExactly("b:1");
        assertThat(row.arrival("b:1")).isBetween((double) before, (double) after);
        assertThat(row.waiter("b:1")).isEqualTo("2 x b:1 4000 2500 7 owner-b:1 label%20\"b:1\"%20\\%20ü");
        assertThat(row.waiting()).containsOnlyKeys("b:", "run");
        WaitingProcess process = row.processOf("b:1");
        assertThat(process.until()).isBetween(before + 4_000 * RECHECK, after + 4_000 * RECHECK);
        assertThat(process.span()).isEqualTo(4_000 * RECHECK);
        assertThat(process.kind()).isEqualTo("m");
        assertThat(process.inbox()).isEqualTo(LockRow.inbox("b:1"));
        assertThat(process.born()).isBetween(before, after);
        assertThat(row.waiting().get("run")).isEqualTo(process.born() + " " + process.born() + " " + 1_000 * RECHECK);
    }

    @Test
    void waitWithoutPatienceIsLateAtOnce() {
        row.acquire(waits("a:1"));
        row.acquire(polls("b:1").patience(0));
        row.end("a:1");
        assertThat(row.holder()).isEqualTo("none");
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void waitersAreQueuedByArrivalAndByTheirOrderInTheCommand() {
        row.acquire(waits("a:1"));
        row.acquire(waits("z:1"), tries("z:2"), polls("z:3"));
        row.acquire(waits("b:1"), waits("b:0"));
        assertThat(row.queue()).containsExactly("z:1", "z:3", "b:1", "b:0");
        assertThat(row.waiting()).containsOnlyKeys("z:", "b:", "run");
    }

    @Test
    void arrivalGrowsAfterTheClockHasSteppedBack() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:0"), waits("b:1"));
        redis.command("ZADD", QUEUE, "9000000000000001", row.waiter("b:1"));
        row.acquire(waits("a:2"), waits("a:3"));
        assertThat(row.queue()).containsExactly("b:0", "b:1", "a:2", "a:3");
        assertThat(row.arrival("a:2")).isEqualTo(9000000000000002d);
        assertThat(row.arrival("a:3")).isEqualTo(9000000000000003d);
    }

    @Test
    void requestThatWasNotInTheQueueIsFresh() {
        assertThat(row.acquire(waits("a:1")).fresh()).as("does not wait").isZero();
        assertThat(row.acquire(tries("b:1")).fresh()).as("does not wait").isZero();
        assertThat(row.acquire(waits("b:1")).fresh()).isEqualTo(1);
        assertThat(row.acquire(waits("b:1")).fresh()).isZero();
        assertThat(row.acquire(waits("b:1"), waits("b:2")).fresh()).isEqualTo(1);
        assertThat(row.acquire(waits("b:1"), waits("b:2")).fresh()).isZero();
        assertThat(row.acquire(waits("b:3"), waits("b:2")).fresh()).isEqualTo(1);
    }

    @Test
    void everyKeyButTheFenceExpires() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"), polls("b:2"));
        row.end("c:1", 5_000);
        assertThat(redis.keys()).containsExactly(FENCE, LOCK, over("c:1"), QUEUE, WAIT);
        assertThat(redis.keys()).filteredOn(key -> redis.ttl(key) < 0).containsExactly(FENCE);
    }

    @Test
    void repeatOfAHolderKeepsItsTokenAndRenewsItsLease() {
        String token = row.acquire(waits("a:1").lease(5_000)).token();
        redis.command("PEXPIRE", LOCK, "1000");
        AcquireResult reply = row.acquire(waits("a:1").lease(5_000));
        assertThat(reply.answers()).containsExactly("granted " + token + " 1");
        assertThat(reply.mark()).isEqualTo(token);
        assertThat(redis.ttl(LOCK)).isBetween(4_000L, 5_000L);
        assertThat(redis.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void repeatOfAHolderDoesNotReportTheHolder() {
        row.acquire(waits("a:1"));
        assertThat(row.acquire(waits("a:1")).holder()).isEmpty();
    }

    @Test
    void repeatNeverShortensALease() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:1").lease(1_000));
        assertThat(redis.ttl(LOCK)).isGreaterThan(LEASE - 1_000);
    }

    @Test
    void repeatSetsAMissingExpiry() {
        row.acquire(waits("a:1"));
        redis.command("PERSIST", LOCK);
        assertThat(row.acquire(tries("b:1")).holder().get(5)).isEqualTo(-1L);
        row.acquire(waits("a:1"));
        assertThat(redis.ttl(LOCK)).isBetween(LEASE - 1_000, LEASE);
    }

    @Test
    void batchOnAFreeLockGrantsTheFirstAndQueuesTheOthers() {
        AcquireResult reply = row.acquire(waits("a:1"), waits("a:2"), tries("a:3"), polls("a:4"));
        assertThat(reply.answers()).containsExactly("granted " + row.fence() + " 0", "busy", "busy", "busy");
        assertThat(reply.holder().get(0)).isEqualTo("a:1");
        assertThat(row.queue()).containsExactly("a:2", "a:4");
    }

    @Test
    void tryAtTheHeadOfABatchIsGrantedAFreeLock() {
        assertThat(row.acquire(tries("a:1"), waits("a:2")).answers())
                .containsExactly("granted " + row.fence() + " 0", "busy");
        assertThat(row.queue()).containsExactly("a:2");
    }

    @Test
    void batchOfAHolderAndWaitersAnswersEach() {
        String token = row.acquire(waits("a:1")).token();
        AcquireResult reply = row.acquire(waits("a:0"), waits("a:1"), tries("a:2"));
        assertThat(reply.answers()).containsExactly("busy", "granted " + token + " 1", "busy");
        assertThat(reply.holder().subList(0, 2)).asString().isEqualTo("[a:1, " + token + "]");
        assertThat(row.queue()).containsExactly("a:0");
    }

    @Test
    void batchOf256IsAnsweredCompletely() {
        Request[] all = IntStream.range(0, 256).mapToObj(i -> waits("a:" + i)).toArray(Request[]::new);
        AcquireResult reply = row.acquire(all);
        assertThat(reply.answers()).hasSize(256).startsWith("granted " + row.fence() + " 0", "busy");
        assertThat(row.queue()).hasSize(255).startsWith("a:1", "a:2").endsWith("a:255");
    }

    @Test
    void endedRequestIsOverAndNeitherGrantedNorQueued() {
        row.end("a:1", 60_000);
        assertThat(row.acquire(waits("a:1")).answers()).containsExactly("over");
        assertThat(row.lock()).isEmpty();
        AcquireResult batch = row.acquire(waits("a:1"), waits("a:2"), waits("a:3"));
        assertThat(batch.answers()).containsExactly("over", "granted " + row.fence() + " 0", "busy");
        assertThat(row.queue()).containsExactly("a:3");
    }

    @Test
    void overAnswerForANeverHeldLockHasMarkZero() {
        row.end("a:1", 60_000);
        AcquireResult reply = row.acquire(waits("a:1"));
        assertThat(reply.mark()).isEqualTo("0");
        assertThat(reply.holder()).isEmpty();
    }

    @Test
    void overAnswerShowsTheHolder() {
        row.acquire(waits("b:1"));
        row.end("a:1", 60_000);
        assertThat(row.acquire(waits("a:1")).holder().get(0)).isEqualTo("b:1");
    }

    @Test
    void unknownModeIsBusyAndUnchanged() {
        redis.command("SET", LOCK, "2 q b:1 3 5 owner label later", "PX", "9000");
        Map<String, String> before = row.lock();
        AcquireResult reply = row.acquire(waits("a:1"));
        assertThat(reply.answers()).containsExactly("busy");
        assertThat(reply.mark()).isEqualTo("0");
        assertThat(reply.holder().subList(0, 4)).asString().isEqualTo("[b:1, 3, owner, label later]");
        assertThat((Long) reply.holder().get(5)).isBetween(8_000L, 9_000L);
        assertThat(row.lock()).isEqualTo(before);
        assertThat(redis.ttl(LOCK)).isBetween(8_000L, 9_000L);
        assertThat(row.queue()).containsExactly("a:1");
    }

    @Test
    void unknownModeIsBusyEvenUnderTheSameId() {
        redis.command("SET", LOCK, "2 q a:1 3 5 owner label");
        assertThat(row.acquire(tries("a:1")).answers()).containsExactly("busy");
        assertThat(redis.command("GET", LOCK)).isEqualTo("2 q a:1 3 5 owner label");
        assertThat(redis.ttl(LOCK)).isEqualTo(-1);
    }

    @Test
    void repeatOfAHolderAfterALossOfDataIsANewGrant() {
        String token = row.acquire(waits("a:1")).token();
        redis.command("FLUSHALL");
        AcquireResult reply = row.acquire(waits("a:1"));
        assertThat(reply.answers()).containsExactly("granted " + row.fence() + " 0");
        assertThat(Long.parseLong(reply.token())).isGreaterThan(Long.parseLong(token));
    }

    @Test
    void marksOfManyRequestsAreReadInOneCommand() {
        row.end("z:1", 60_000);
        redis.resetStats();
        row.acquire(IntStream.range(0, 256).mapToObj(i -> waits("a:" + i)).toArray(Request[]::new));
        assertThat(redis.commandStats().get("exists")).isLessThan(5);
    }

    @Test
    void waiterWithoutASubscriberIsReportedAsDeaf() {
        assertThat(row.acquire(waits("a:1")).deaf()).as("needs no message").isZero();
        assertThat(row.acquire(tries("b:1")).deaf()).as("does not wait").isZero();
        assertThat(row.acquire(waits("b:1")).deaf()).isEqualTo(1);
        assertThat(row.acquire(waits("b:1")).deaf())
                .as("checked less than a quarter of a recheck ago")
                .isZero();
        assertThat(row.acquire(waits("c:1"), waits("c:2")).deaf()).isEqualTo(1);
        assertThat(row.acquire(waits("c:1"), waits("c:2")).deaf())
                .as("checked less than a quarter of a recheck ago")
                .isZero();
        try (Inbox e = row.subscribe("e:1")) {
            assertThat(row.acquire(waits("e:1")).deaf()).isZero();
            assertThat(e.messages()).isEmpty();
        }
    }
}
