package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.LockRow.Request;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which grants release.lua reports by its answer, and which by a message. */
@Tag("scripts")
class EndAnswerTests {

    private static final EndResult HOLDER = new EndResult("holder", 0);

    /** An end with a mark is beyond the usual case. */
    private static final long MARK = 30_000;

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final SeveralLocks locks = new SeveralLocks(redis);

    /** Empties Redis, except for an old token. */
    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
        redis.command("SET", FENCE, "1");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MARK})
    void waiterOfTheSameProcessIsNotifiedByTheAnswerAlone(long mark) {
        String first = row.acquire(waits("a:1")).token();
        row.acquire(waits("a:2").lease(7_000).reserve(5));
        row.acquire(waits("c:1"));
        try (Inbox inbox = row.subscribe("a:2")) {
            redis.resetStats();
            assertThat(row.end("a:1", mark)).isEqualTo(HOLDER);
            assertThat(inbox.messages()).isEmpty();
        }
        assertNoMessageOrCount();
        assertThat(row.handedTo()).asString().isEqualTo("[a:2]");
        String token = row.lock().get("token");
        assertThat(row.grantedToken()).isEqualTo(token);
        assertThat(Long.parseLong(token)).isGreaterThan(Long.parseLong(first));
        assertThat(row.fence()).as("with the reserved tokens").isEqualTo("" + (Long.parseLong(token) + 5));
        assertThat(row.lock())
                .containsEntry("mode", "x")
                .containsEntry("id", "a:2")
                .containsEntry("owner", waits("a:2").owner())
                .containsEntry("label", waits("a:2").label());
        assertThat(redis.ttl(LOCK)).as("the lease of the new holder").isBetween(6_000L, 7_000L);
        assertThat(row.queue()).containsExactly("c:1");
        assertThat(row.waiting()).containsOnlyKeys("a:", "c:", "run");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MARK})
    void waiterOfTheSameProcessIsNotifiedWithoutASubscriber(long mark) {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.acquire(waits("b:1"));
        redis.resetStats();
        row.end("a:1", mark);
        assertNoMessageOrCount();
        assertGrantedByAnswer("a:2");
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void grantOfTheLastWaiterDeletesTheQueue() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.end("a:1");
        assertGrantedByAnswer("a:2");
        assertThat(row.keys()).containsExactly(FENCE, LOCK);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, MARK})
    void earlierWaiterOfAnotherProcessIsGrantedFirstByAMessage(long mark) {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("a:2"));
        try (Inbox a = row.subscribe("a:2");
                Inbox b = row.subscribe("b:1")) {
            row.end("a:1", mark);
            assertGrantedByMessage(b, "b:1");
            assertThat(a.messages()).isEmpty();
        }
        assertThat(row.queue()).containsExactly("a:2");
    }

    @Test
    void waiterOfTheSameProcessIsGrantedBehindADeafWaiter() {
        row.acquire(waits("a:1"));
        row.acquire(waits("deaf:1"));
        row.acquire(waits("a:2"));
        row.end("a:1");
        assertGrantedByAnswer("a:2");
        assertThat(row.queue()).containsExactly("deaf:1");
    }

    @Test
    void pollingWaiterOfTheSameProcessIsNotifiedByTheAnswer() {
        row.acquire(waits("a:1"));
        row.acquire(polls("a:2"));
        row.acquire(polls("b:1"));
        row.end("a:1");
        assertGrantedByAnswer("a:2");
        row.end("a:2");
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.grantedToken()).isEqualTo("");
    }

    @ParameterizedTest
    @CsvSource({"b:1, message", "a:3, answer"})
    void waiterPastItsDeadlineIsPassed(String next, String how) {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2").patience(1));
        row.acquire(waits(next));
        row.awaitTime(row.time() + 2_000);
        assertIsGranted("a:1", next, how);
    }

    @ParameterizedTest
    @CsvSource({"b:1, message", "c:3, answer"})
    void silentWaiterIsPassed(String next, String how) {
        row.acquire(waits("c:1"));
        row.acquire(waits("silent:2"));
        row.silence("silent:2");
        row.acquire(waits(next));
        assertIsGranted("c:1", next, how);
    }

    private void assertIsGranted(String holder, String next, String how) {
        try (Inbox inbox = row.subscribe(next)) {
            row.end(holder);
            if (how.equals("answer")) {
                assertGrantedByAnswer(next);
                assertThat(inbox.messages()).isEmpty();
            } else {
                assertGrantedByMessage(inbox, next);
            }
        }
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void endHandsAFreeLockToItsOwnProcessByTheAnswer() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"), waits("a:3"), waits("a:4"));
        row.expire();
        try (Inbox inbox = row.subscribe("a:1")) {
            assertThat(row.end("a:2").what()).isEqualTo("waiter");
            assertGrantedByAnswer("a:3");
            row.expire();
            assertThat(row.end("a:1").what()).isEqualTo("nothing");
            assertGrantedByAnswer("a:4");
            assertThat(inbox.messages()).isEmpty();
        }
    }

    @Test
    void leavingWaiterHandsAnExpiredLockToAnotherProcessByAMessage() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.acquire(waits("b:1"));
        row.expire();
        try (Inbox inbox = row.subscribe("b:1")) {
            assertThat(row.end("a:2").what()).isEqualTo("waiter");
            assertGrantedByMessage(inbox, "b:1");
        }
    }

    @Test
    void answerWithoutAGrantHasNoToken() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:2"));
        row.end("a:2");
        assertThat(row.grantedToken()).isEqualTo("");
        row.end("a:1", MARK);
        assertThat(row.grantedToken()).isEqualTo("");
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
    void similarIdBelongsToAnotherProcess(String holder, String waiter) {
        for (long mark : new long[] {0, MARK}) {
            redis.command("FLUSHALL");
            row.acquire(waits(holder));
            row.acquire(waits(waiter));
            try (Inbox inbox = row.subscribe(waiter)) {
                row.end(holder, mark);
                assertGrantedByMessage(inbox, waiter);
            }
        }
    }

    @Test
    void instanceMayHaveColons() {
        row.acquire(waits("a:b:1"));
        row.acquire(waits("a:b:2"));
        row.end("a:b:1");
        assertGrantedByAnswer("a:b:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void waiterForOneLockIsNotifiedByAMessageIfSeveralAreReleased(String wanted) {
        locks.acquire(waits("m:1"), "a", "b");
        locks.acquire(waits("m:2"), wanted);
        try (Inbox inbox = locks.subscribe("m:2")) {
            locks.end("m:1", "a", "b");
            assertThat(inbox.messages())
                    .containsExactly("grant 1 m:2 " + locks.fence() + " " + SeveralLocks.lock(wanted));
        }
        assertThat(locks.holder(wanted)).isEqualTo("m:2");
        assertThat(locks.grantedToken()).isEqualTo("");
    }

    @Test
    void waiterForSeveralLocksIsNotifiedByAMessage() {
        locks.acquire(waits("m:1"), "a");
        locks.acquire(waits("m:2"), "a", "b");
        try (Inbox inbox = locks.subscribe("m:2")) {
            locks.end("m:1", "a");
            assertThat(inbox.messages())
                    .containsExactly("grant 2 m:2 " + locks.fence() + " 13 " + SeveralLocks.lock("a") + " 13 "
                            + SeveralLocks.lock("b"));
        }
        assertThat(locks.holder("b")).isEqualTo("m:2");
        assertThat(locks.grantedToken()).isEqualTo("");
    }

    @Test
    void deafWaiterForSeveralLocksIsNotGranted() {
        locks.acquire(waits("m:1"), "a");
        locks.acquire(waits("m:2"), "a", "b");
        locks.end("m:1", "a");
        assertThat(locks.holder("a")).isEqualTo("none");
        assertThat(locks.waiters("a")).containsExactly("m:2");
        assertThat(locks.grantedToken()).isEqualTo("");
    }

    @Test
    void acquireNotifiesAnotherWaiterOfItsProcessByAMessage() {
        row.acquire(waits("b:1"));
        Request other = waits("a:2");
        row.acquire(waits("a:1"));
        row.expire();
        try (Inbox inbox = row.subscribe("a:1")) {
            row.acquire(other);
            assertThat(inbox.messages()).containsExactly("grant 1 a:1 " + row.fence() + " " + LOCK);
        }
    }

    private void assertGrantedByAnswer(String id) {
        assertThat(row.holder()).isEqualTo(id);
        assertThat(row.handedTo()).isEqualTo(List.of(id));
        assertThat(row.grantedToken()).isEqualTo(row.lock().get("token"));
    }

    private void assertGrantedByMessage(Inbox inbox, String id) {
        assertThat(row.holder()).isEqualTo(id);
        assertThat(row.handedTo()).isEqualTo(List.of(id));
        assertThat(row.grantedToken()).as("the message has the token").isEqualTo("");
        assertThat(inbox.messages())
                .containsExactly("grant 1 " + id + " " + row.lock().get("token") + " " + LOCK);
    }

    private void assertNoMessageOrCount() {
        assertThat(redis.commandStats()).doesNotContainKeys("publish", "pubsub", "pubsub|numsub");
    }
}
