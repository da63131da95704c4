package dev.baton.lock.redis;

import static dev.baton.lock.redis.ConditionRow.LIST;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.RECHECK;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.ReaderRow.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.ConditionRow.EndResult;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Inbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests what acquires, ends and hand-overs do with requests that await conditions, or were signalled. */
@Tag("scripts")
class ConditionHandOverTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ConditionRow condition = new ConditionRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void requestsThatAwaitStayInTheirLists() {
        condition.awaits("a:1");
        condition.awaits("a:2");
        String token = row.acquire(waits("c:1")).token();
        redis.command("PEXPIRE", LIST, "1000");
        AcquireResult result = condition.repeat(waits("a:1"), waits("a:2"));
        assertThat(result.answers()).containsExactly("busy awaits", "busy awaits");
        assertThat(result.fresh()).isZero();
        assertThat(result.mark()).isEqualTo(token);
        assertThat(result.holder().get(0)).isEqualTo("c:1");
        assertThat(condition.list()).containsExactly("a:1", "a:2");
        assertThat(row.queue()).isEmpty();
        assertThat(redis.ttl(LIST)).as("lives on").isBetween(13 * RECHECK, 14 * RECHECK);
    }

    @Test
    void repeatSaysThatTheProcessIsAlive() {
        condition.awaits("a:1");
        row.silence("a:1");
        AcquireResult result = condition.repeat(waits("a:1"));
        assertThat(result.answer()).isEqualTo("busy awaits");
        assertThat(result.deaf()).isEqualTo(1L);
        assertThat(row.processOf("a:1").until()).isGreaterThan(row.time());
        condition.repeat(polls("a:1"));
        assertThat(row.processOf("a:1").kind()).isEqualTo("p");
    }

    @Test
    void repeatLetsTheQueueLiveOn() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        row.acquire(waits("b:1"));
        redis.command("PEXPIRE", QUEUE, "1000");
        condition.repeat("a:1");
        assertThat(redis.ttl(QUEUE)).isBetween(13 * RECHECK, 14 * RECHECK);
    }

    @Test
    void requestsOfOneCommandAreAnsweredEach() {
        condition.awaits("a:1");
        condition.awaits("a:2");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        row.end("a:3", 30_000);
        try (Inbox a = row.subscribe("a:1")) {
            AcquireResult result = condition.repeat(waits("a:2"), waits("a:1"), waits("a:3"), waits("a:4"));
            assertThat(result.answers()).containsExactly("busy awaits", "busy signalled", "over", "busy asks");
            assertThat(result.deaf()).isZero();
            assertThat(result.fresh()).isEqualTo(1L);
            assertThat(a.messages()).isEmpty();
        }
        assertThat(row.queue()).containsExactly("a:1", "a:4");
        assertThat(condition.list()).containsExactly("a:2");
    }

    @Test
    void processWithoutASubscriberIsReportedAlsoIfSomeOfItsRequestsStay() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        row.silence("a:1");
        AcquireResult result = condition.repeat(waits("a:1"), waits("a:2"));
        assertThat(result.answers()).containsExactly("busy awaits", "busy asks");
        assertThat(result.deaf()).isEqualTo(1L);
    }

    @Test
    void requestWithoutAPlaceAsksForTheLock() {
        row.acquire(waits("c:1"));
        assertThat(condition.repeat("a:1")).isEqualTo("busy asks");
        assertThat(condition.repeat("a:1")).isEqualTo("busy asks");
        assertThat(row.queue()).containsExactly("a:1");
        assertThat(new StoredState(redis).record(QUEUE, "a:1"))
                .as("no signal")
                .isEqualTo(waits("a:1").record());
        row.end("c:1");
        assertThat(condition.repeat("a:1")).startsWith("granted ").endsWith(" asks");
    }

    @Test
    void requestThatWasForgottenAsksForTheLock() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        redis.command("HDEL", WAIT, "a:");
        assertThat(condition.repeat("a:1")).isEqualTo("busy asks");
        assertThat(condition.list()).isEmpty();
        assertThat(row.queue()).containsExactly("a:1");
    }

    @Test
    void requestThatCameBeforeItsProcessAsksForTheLock() {
        condition.awaits("a:1");
        redis.command("HDEL", WAIT, "a:");
        condition.awaits("a:2");
        row.acquire(waits("c:1"));
        assertThat(condition.repeat("a:1")).isEqualTo("busy asks");
        assertThat(condition.repeat("a:2")).isEqualTo("busy awaits");
    }

    @Test
    void signalledRequestThatWasForgottenIsStillSignalled() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        redis.command("HDEL", WAIT, "a:");
        row.acquire(waits("a:9"));
        assertThat(condition.repeat("a:1")).isEqualTo("busy signalled");
        assertThat(row.queue()).containsExactly("a:9", "a:1");
    }

    @Test
    void grantOfASignalledRequestSaysSo() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        row.end("c:1");
        String granted = condition.repeat("a:1");
        assertThat(granted).startsWith("granted ").endsWith(" 0 signalled");
        assertThat(condition.repeat("a:1")).endsWith(" 1 signalled");
        assertThat(condition.ask("a:1")).endsWith(" 1 signalled");
        assertThat(redis.command("GET", LOCK)).asString().endsWith(" notEmpty");
        assertThat(row.lock()).containsEntry("mode", "x");
    }

    @Test
    void requestThatAsksLeavesItsList() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        assertThat(condition.ask("a:1")).isEqualTo("busy asks");
        assertThat(condition.list()).isEmpty();
        assertThat(condition.signal("c:1", 1)).isEqualTo("signalled 0");
        assertThat(condition.ask("a:1")).isEqualTo("busy asks");
        row.end("c:1");
        assertThat(condition.ask("a:1")).endsWith(" 0 asks");
        assertThat(condition.ask("a:1")).endsWith(" 1 asks");
    }

    @Test
    void requestThatAsksForAFreeLockIsGrantedIt() {
        condition.awaits("a:1");
        assertThat(condition.ask("a:1")).endsWith(" 0 asks");
        assertThat(redis.command("GET", LOCK)).asString().doesNotContain("notEmpty");
        assertThat(condition.list()).isEmpty();
    }

    @Test
    void requestThatAsksAfterASignalIsSignalled() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        assertThat(condition.ask("a:1")).isEqualTo("busy signalled");
        assertThat(row.queue()).containsExactly("a:1");
    }

    @Test
    void repeatHandsAFreeLockOver() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        row.acquire(waits("b:1"));
        redis.command("DEL", LOCK);
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(condition.repeat("a:1")).isEqualTo("busy awaits");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void endInTheListPassesNothingOn() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        assertThat(condition.end("a:1").what()).isEqualTo("waiter");
        assertThat(condition.end("a:1").what()).isEqualTo("nothing");
        assertThat(condition.list()).containsExactly("b:1");
    }

    @Test
    void endOfARequestThatAsksPassesNothingOn() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        condition.ask("a:1");
        assertThat(condition.end("a:1").what()).isEqualTo("waiter");
        assertThat(row.queue()).isEmpty();
        assertThat(condition.list()).containsExactly("b:1");
    }

    @Test
    void unsignalledRequestThatHoldsTheLockUntakenPassesNothingOn() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        condition.ask("a:1");
        assertThat(condition.end("a:1").what()).isEqualTo("holder");
        assertThat(condition.list()).containsExactly("b:1");
        assertThat(row.lock()).isEmpty();
    }

    @Test
    void endOfASignalledRequestPassesItsSignalOn() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        assertThat(condition.end("a:1").what()).isEqualTo("waiter");
        assertThat(row.queue()).containsExactly("b:1");
        assertThat(condition.list()).isEmpty();
    }

    @Test
    void signalledRequestThatHoldsTheLockUntakenPassesItsSignalOn() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        row.end("c:1");
        condition.repeat("a:1");
        try (Inbox b = row.subscribe("b:1")) {
            EndResult result = condition.end("a:1");
            assertThat(result.what()).isEqualTo("holder");
            assertThat(result.next()).asString().isEqualTo("[b:1]");
            assertThat(b.messages()).hasSize(1);
        }
    }

    @Test
    void signalOfATakenLockIsSpent() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        row.end("c:1");
        condition.repeat("a:1");
        assertThat(condition.endTaken("a:1").what()).isEqualTo("holder");
        assertThat(condition.list()).containsExactly("b:1");
        assertThat(row.lock()).isEmpty();
    }

    @Test
    void endOfALateRequestDoesNotTakeTheSignalOfAnotherHolder() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        row.end("c:1");
        condition.repeat("a:1");
        assertThat(condition.end("e:1").what()).isEqualTo("nothing");
        assertThat(condition.list()).containsExactly("b:1");
    }

    @Test
    void handOverPassesTheSignalOfALateWaiterOn() {
        row.acquire(waits("a:0"));
        condition.await("a:0", waits("a:1").patience(1));
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        awaitNextMilli();
        row.end("c:1");
        assertThat(row.queue()).as("b cannot be notified").containsExactly("b:1");
        assertThat(condition.list()).isEmpty();
        assertThat(condition.repeat("b:1")).endsWith(" 0 signalled");
    }

    @Test
    void handOverPassesTheSignalOfADeadWaiterOn() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        row.silence("a:1");
        try (Inbox b = row.subscribe("b:1")) {
            row.end("c:1");
            assertThat(row.handedTo()).asString().isEqualTo("[b:1]");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(redis.command("EXISTS", QUEUE)).isEqualTo(0L);
    }

    @Test
    void requestThatIsPassedASignalWhileItAsksIsAnsweredItsGrant() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        condition.awaits("b:2");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        row.end("c:1");
        row.silence("a:1");
        try (Inbox b = row.subscribe("b:1")) {
            AcquireResult result = condition.repeat(waits("b:2"), waits("b:1"));
            assertThat(result.answers().get(0)).isEqualTo("busy awaits");
            assertThat(result.answers().get(1)).startsWith("granted ").endsWith(" 0 signalled");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(condition.repeat("b:1")).endsWith(" 1 signalled");
        assertThat(condition.list()).containsExactly("b:2");
    }

    @Test
    void handOverPassesNothingOnForAWaiterThatWasNotSignalled() {
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        row.acquire(waits("a:1").patience(1));
        awaitNextMilli();
        row.end("c:1");
        assertThat(row.queue()).isEmpty();
        assertThat(condition.list()).containsExactly("b:1");
    }

    @Test
    void signalIsPassedOnToOneOnly() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        condition.awaits("b:2");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        condition.end("a:1");
        assertThat(row.queue()).containsExactly("b:1");
        assertThat(condition.list()).containsExactly("b:2");
    }

    @Test
    void signalledWaiterIsGrantedTheLockAsAWriter() {
        condition.awaits("a:1");
        row.acquire(reads("c:1"));
        assertThat(condition.signal("", 1)).isEqualTo("signalled 1");
        assertThat(row.queue()).as("waits for the reader").containsExactly("a:1");
        row.acquire(reads("c:2"));
        assertThat(row.queue()).containsExactly("a:1", "c:2");
        try (Inbox a = row.subscribe("a:1")) {
            row.end("c:1");
            assertThat(a.messages()).containsExactly("grant 1 a:1 " + row.fence() + " " + LOCK);
        }
    }

    private void awaitNextMilli() {
        long now = row.time();
        while (row.time() - now <= 2_000) {
            Thread.onSpinWait();
        }
    }
}
