package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Ended;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.LockRow.Request;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom end.lua tells of a grant by its answer, and whom by a message. */
@Tag("scripts")
class EndToldByAnswerTests {

    private static final Ended HOLDER = new Ended("holder", 0);

    /** More than the usual case sees to. */
    private static final long MARK = 30_000;

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final SeveralLocks locks = new SeveralLocks(redis);

    /** Empty, but for a token of long ago. */
    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
        redis.command("SET", FENCE, "1");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MARK})
    void waiterOfTheSameProcessIsToldByTheAnswerAlone(long mark) {
        String first = row.acquire(waits("a:1")).token();
        row.acquire(waits("a:2").lease(7_000).reserve(5));
        row.acquire(waits("c:1"));
        try (Inbox inbox = row.subscribe("a:2")) {
            redis.resetStats();
            assertThat(row.end("a:1", mark)).isEqualTo(HOLDER);
            assertThat(inbox.messages()).isEmpty();
        }
        assertNobodyWasAskedOrTold();
        assertThat(row.handedTo()).asString().isEqualTo("[a:2]");
        String token = row.lock().get("token");
        assertThat(row.tokenTold()).isEqualTo(token);
        assertThat(Long.parseLong(token)).isGreaterThan(Long.parseLong(first));
        assertThat(row.fence()).as("with its reserve").isEqualTo("" + (Long.parseLong(token) + 5));
        assertThat(row.lock())
                .containsEntry("mode", "x")
                .containsEntry("id", "a:2")
                .containsEntry("owner", waits("a:2").owner())
                .containsEntry("label", waits("a:2").label());
        assertThat(redis.ttl(LOCK)).as("its own lease").isBetween(6_000L, 7_000L);
        assertThat(row.queue()).containsExactly("c:1");
        assertThat(row.waiting()).containsOnlyKeys("c:1", "seen");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MARK})
    void itIsToldAlsoIfNobodySubscribesToItsInbox(long mark) {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.acquire(waits("b:1"));
        redis.resetStats();
        row.end("a:1", mark);
        assertNobodyWasAskedOrTold();
        assertToldByAnswer("a:2");
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void lastOneTakesTheQueueWithIt() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.end("a:1");
        assertToldByAnswer("a:2");
        assertThat(redis.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void inAClusterItIsToldByTheAnswerAsWell() {
        LockRow cluster = row.inCluster();
        cluster.acquire(waits("a:1"));
        cluster.acquire(waits("a:2"));
        cluster.acquire(waits("b:1"));
        try (Inbox a = row.subscribe("a:2");
                Inbox b = row.subscribe("b:1")) {
            cluster.end("a:1");
            assertThat(cluster.tokenTold()).isEqualTo(row.lock().get("token"));
            assertThat(row.holder()).isEqualTo("a:2");
            cluster.end("a:2");
            assertThat(cluster.tokenTold()).isEqualTo("");
            assertThat(a.messages()).isEmpty();
            assertThat(b.messages()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MARK})
    void waiterOfAnotherProcessThatCameFirstIsServedFirstAndToldByAMessage(long mark) {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("a:2"));
        try (Inbox a = row.subscribe("a:2");
                Inbox b = row.subscribe("b:1")) {
            row.end("a:1", mark);
            assertToldByMessage(b, "b:1");
            assertThat(a.messages()).isEmpty();
        }
        assertThat(row.queue()).containsExactly("a:2");
    }

    @Test
    void itIsServedBehindOneWhoDoesNotHear() {
        row.acquire(waits("a:1"));
        row.acquire(waits("deaf:1"));
        row.acquire(waits("a:2"));
        row.end("a:1");
        assertToldByAnswer("a:2");
        assertThat(row.queue()).containsExactly("deaf:1");
    }

    @Test
    void waiterThatAsksIsToldByTheAnswerIfItIsOfTheSameProcess() {
        row.acquire(waits("a:1"));
        row.acquire(polls("a:2"));
        row.acquire(polls("b:1"));
        row.end("a:1");
        assertToldByAnswer("a:2");
        row.end("a:2");
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.tokenTold()).isEqualTo("");
    }

    @ParameterizedTest
    @CsvSource({"b:1, message", "a:3, answer"})
    void onePastItsDeadlineIsPassed(String next, String how) {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2").patience(1));
        row.acquire(waits(next));
        row.awaitTime(row.time() + 2_000);
        assertIsGranted(next, how);
    }

    @ParameterizedTest
    @CsvSource({"b:1, message", "a:3, answer"})
    void silentOneIsPassed(String next, String how) {
        row.acquire(waits("a:1"));
        // the queue is to live longer than it does
        row.acquire(waits("z:1"));
        row.recheck(1).acquire(waits("a:2"));
        row.end("z:1");
        row.awaitTime(Waiter.parse(row.waiter("a:2")).number("alive") + 1_000);
        row.acquire(waits(next));
        assertIsGranted(next, how);
    }

    private void assertIsGranted(String next, String how) {
        try (Inbox inbox = row.subscribe(next)) {
            row.end("a:1");
            if (how.equals("answer")) {
                assertToldByAnswer(next);
                assertThat(inbox.messages()).isEmpty();
            } else {
                assertToldByMessage(inbox, next);
            }
        }
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void whoeverEndsFindsTheLockFreeAndHandsItToItsOwnProcessByTheAnswer() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"), waits("a:3"), waits("a:4"));
        row.expire();
        try (Inbox inbox = row.subscribe("a:1")) {
            assertThat(row.end("a:2").what()).isEqualTo("waiter");
            assertToldByAnswer("a:3");
            row.expire();
            assertThat(row.end("a:1").what()).isEqualTo("nothing");
            assertToldByAnswer("a:4");
            assertThat(inbox.messages()).isEmpty();
        }
    }

    @Test
    void waiterThatLeavesAnExpiredLockToAnotherProcessHasAMessageSent() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.acquire(waits("b:1"));
        row.expire();
        try (Inbox inbox = row.subscribe("b:1")) {
            assertThat(row.end("a:2").what()).isEqualTo("waiter");
            assertToldByMessage(inbox, "b:1");
        }
    }

    @Test
    void answerThatNobodyIsGrantedAnythingTellsNothing() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.end("a:2");
        assertThat(row.tokenTold()).isEqualTo("");
        row.end("a:1", MARK);
        assertThat(row.tokenTold()).isEqualTo("");
    }

    @ParameterizedTest
    @CsvSource({
        "a:1, ab:1",
        "ab:1, a:1",
        "a:1, a:b:1",
        "a:b:1, a:1",
        "a:b:1, b:1",
        "a:1, a",
        "a:1, :1",
        "plain, other",
        "plain, plain:1",
        "plain:1, plain"
    })
    void idThatOnlyLooksAlikeIsOfAnotherProcess(String holder, String waiter) {
        for (long mark : new long[] {0, MARK}) {
            redis.command("FLUSHALL");
            row.acquire(waits(holder));
            row.acquire(waits(waiter));
            try (Inbox inbox = row.subscribe(waiter)) {
                row.end(holder, mark);
                assertToldByMessage(inbox, waiter);
            }
        }
    }

    @Test
    void instanceMayHaveColons() {
        row.acquire(waits("a:b:1"));
        row.acquire(waits("a:b:2"));
        row.end("a:b:1");
        assertToldByAnswer("a:b:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void waiterOfOneLockIsToldByAMessageIfSeveralAreGivenBack(String wanted) {
        locks.acquire(waits("m:1"), "a", "b");
        locks.acquire(waits("m:2"), wanted);
        try (Inbox inbox = locks.subscribe("m:2")) {
            locks.end("m:1", "a", "b");
            assertThat(inbox.messages())
                    .containsExactly("grant 1 m:2 " + locks.fence() + " " + SeveralLocks.lock(wanted));
        }
        assertThat(locks.holder(wanted)).isEqualTo("m:2");
        assertThat(locks.tokenTold()).isEqualTo("");
    }

    @Test
    void waiterOfSeveralLocksIsToldByAMessage() {
        locks.acquire(waits("m:1"), "a");
        locks.acquire(waits("m:2"), "a", "b");
        try (Inbox inbox = locks.subscribe("m:2")) {
            locks.end("m:1", "a");
            assertThat(inbox.messages())
                    .containsExactly("grant 2 m:2 " + locks.fence() + " 13 " + SeveralLocks.lock("a") + " 13 "
                            + SeveralLocks.lock("b"));
        }
        assertThat(locks.holder("b")).isEqualTo("m:2");
        assertThat(locks.tokenTold()).isEqualTo("");
    }

    @Test
    void waiterOfSeveralLocksThatDoesNotHearIsNotGranted() {
        locks.acquire(waits("m:1"), "a");
        locks.acquire(waits("m:2"), "a", "b");
        locks.end("m:1", "a");
        assertThat(locks.holder("a")).isEqualTo("nobody");
        assertThat(locks.waiters("a")).containsExactly("m:2");
        assertThat(locks.tokenTold()).isEqualTo("");
    }

    @Test
    void acquireTellsAWaiterOfItsProcessThatItDoesNotAskForByAMessage() {
        row.acquire(waits("b:1"));
        Request other = waits("a:2");
        row.acquire(waits("a:1"));
        row.expire();
        try (Inbox inbox = row.subscribe("a:1")) {
            row.acquire(other);
            assertThat(inbox.messages()).containsExactly("grant 1 a:1 " + row.fence() + " " + LOCK);
        }
    }

    private void assertToldByAnswer(String id) {
        assertThat(row.holder()).isEqualTo(id);
        assertThat(row.handedTo()).isEqualTo(List.of(id));
        assertThat(row.tokenTold()).isEqualTo(row.lock().get("token"));
    }

    private void assertToldByMessage(Inbox inbox, String id) {
        assertThat(row.holder()).isEqualTo(id);
        assertThat(row.handedTo()).isEqualTo(List.of(id));
        assertThat(row.tokenTold()).as("the message tells it").isEqualTo("");
        assertThat(inbox.messages())
                .containsExactly("grant 1 " + id + " " + row.lock().get("token") + " " + LOCK);
    }

    private void assertNobodyWasAskedOrTold() {
        assertThat(redis.commandStats()).doesNotContainKeys("publish", "pubsub", "pubsub|numsub");
    }
}
