package dev.baton.lock.redis;

import static dev.baton.lock.redis.ConditionRow.LIST;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.RECHECK;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;
import static dev.baton.lock.redis.ReaderRow.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.ConditionRow.AwaitResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests await.lua and signal.lua. */
@Tag("scripts")
class ConditionScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ConditionRow condition = new ConditionRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void awaitFreesALockWithoutWaiters() {
        String token = row.acquire(waits("a:1")).token();
        assertThat(condition.await("a:1", waits("a:2"))).isEqualTo(new AwaitResult("awaits", 0, token, 1, List.of()));
        assertThat(row.lock()).isEmpty();
        assertThat(condition.list()).containsExactly("a:2");
        assertThat(row.queue()).isEmpty();
        assertThat(redis.ttl(over("a:1"))).isBetween(50_000L, 60_000L);
        for (String key : List.of(LIST, WAIT)) {
            assertThat(redis.ttl(key)).as(key).isBetween(13 * RECHECK, 14 * RECHECK);
        }
    }

    @Test
    void awaitHandsTheLockOver() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("a:3"));
        try (Inbox a = row.subscribe("a:1");
                Inbox b = row.subscribe("b:1")) {
            AwaitResult result = condition.await("a:1", waits("a:2"));
            assertThat(result.deaf()).isZero();
            assertThat(result.next()).asString().isEqualTo("[b:1]");
            assertThat(result.highest()).isEqualTo(row.fence());
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
            assertThat(row.end("b:1").what()).isEqualTo("holder");
            assertThat(a.messages()).containsExactly("grant 1 a:3 " + row.fence() + " " + LOCK);
        }
    }

    @Test
    void moreWaitersThanOneCallLooksAtAreReported() {
        row.acquire(waits("a:1"));
        row.queue(1_100, i -> polls("b:" + i).patience(1));
        redis.command("PEXPIRE", LOCK, "60000");
        AwaitResult result = condition.await("a:1", waits("a:2"));
        assertThat(result.next()).isEmpty();
        assertThat(result.more()).isEqualTo(1L);
        assertThat(row.lock()).isEmpty();
    }

    @Test
    void waitersOfTheOwnProcessAreToldByMessage() {
        row.acquire(waits("a:1"));
        row.acquire(waits("a:3"));
        try (Inbox a = row.subscribe("a:1")) {
            condition.await("a:1", waits("a:2"));
            assertThat(a.messages()).containsExactly("grant 1 a:3 " + row.fence() + " " + LOCK);
        }
    }

    @Test
    void processThatAwaitsIsKnown() {
        row.acquire(waits("a:1"));
        condition.await("a:1", polls("a:2"));
        assertThat(row.processOf("a:2").kind()).isEqualTo("p");
        assertThat(row.processOf("a:2").inbox()).isEqualTo(LockRow.inbox("a:2"));
        row.acquire(waits("b:1"));
        condition.await("b:1", waits("b:2"));
        assertThat(row.processOf("b:2").kind()).isEqualTo("m");
        assertThat(condition.list()).containsExactly("a:2", "b:2");
    }

    @Test
    void repeatedAwaitIsAnsweredAsTheFirstAndChangesNothing() {
        row.acquire(waits("a:1"));
        condition.await("a:1", waits("a:2"));
        assertThat(condition.await("a:1", waits("a:2")).what()).isEqualTo("awaits");
        assertThat(condition.list()).containsExactly("a:2");
        row.acquire(waits("b:1"));
        condition.signal("b:1", 1);
        assertThat(condition.await("a:1", waits("a:2")).what()).as("signalled").isEqualTo("awaits");
        assertThat(condition.list()).isEmpty();
        row.end("b:1");
        condition.repeat("a:2");
        assertThat(condition.await("a:1", waits("a:2")).what()).as("granted").isEqualTo("awaits");
        assertThat(row.holder()).isEqualTo("a:2");
    }

    @Test
    void repeatedAwaitIsAnsweredAsTheFirstAlsoToARequestThatAsks() {
        row.acquire(waits("a:1"));
        condition.await("a:1", waits("a:2"));
        row.acquire(waits("b:1"));
        condition.ask("a:2");
        assertThat(condition.await("a:1", waits("a:2")).what()).isEqualTo("awaits");
        assertThat(condition.list()).isEmpty();
    }

    @Test
    void awaitOfAnotherRequestThanTheHolderIsRefused() {
        row.acquire(waits("b:1"));
        String fence = row.fence();
        assertThat(condition.await("a:1", waits("a:2"))).isEqualTo(new AwaitResult("nothing", 0, fence, 0, List.of()));
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(condition.list()).isEmpty();
        assertThat(redis.command("EXISTS", over("a:1"))).isEqualTo(0L);
        redis.command("FLUSHALL");
        assertThat(condition.await("a:1", waits("a:2"))).isEqualTo(new AwaitResult("nothing", 0, "0", 0, List.of()));
    }

    @Test
    void awaitOfAReaderIsRefused() {
        row.acquire(reads("a:1"));
        assertThat(condition.await("a:1", waits("a:2")).what()).isEqualTo("nothing");
        assertThat(condition.signal("a:1", 1)).isEqualTo("nothing 0");
    }

    @Test
    void lateAwaitOfAnEndedRequestIsRefused() {
        row.acquire(waits("a:1"));
        condition.end(waits("a:2"), "30000 0 c");
        assertThat(condition.await("a:1", waits("a:2")).what()).isEqualTo("nothing");
        assertThat(row.holder()).isEqualTo("a:1");
    }

    @Test
    void requestsAwaitInTheirOrderWhateverTheClockSays() {
        condition.awaits("a:1");
        redis.command("ZADD", LIST, "XX", "9000000000000000", condition.record(waits("a:1")));
        condition.awaits("b:1");
        assertThat(condition.list()).containsExactly("a:1", "b:1");
    }

    @Test
    void signalMovesTheFirstToTheEndOfTheQueue() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        row.acquire(waits("c:2"));
        assertThat(condition.signal("c:1", 1)).isEqualTo("signalled 1");
        assertThat(row.queue()).containsExactly("c:2", "a:1");
        assertThat(condition.list()).containsExactly("b:1");
        assertThat(row.holder()).isEqualTo("c:1");
    }

    @Test
    void signalGivesAnEmptyQueueItsExpiry() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        condition.signal("c:1", 1);
        assertThat(redis.ttl(QUEUE)).isBetween(13 * RECHECK, 14 * RECHECK);
    }

    @Test
    void signalMovesAsManyAsItIsTold() {
        for (String id : List.of("a:1", "b:1", "a:2", "b:2")) {
            condition.awaits(id);
        }
        row.acquire(waits("c:1"));
        assertThat(condition.signal("c:1", 3)).isEqualTo("signalled 3");
        assertThat(row.queue()).containsExactly("a:1", "b:1", "a:2");
        assertThat(condition.signal("c:1", 3)).isEqualTo("signalled 1");
        assertThat(condition.signal("c:1", 3)).isEqualTo("signalled 0");
        assertThat(row.queue()).containsExactly("a:1", "b:1", "a:2", "b:2");
    }

    @Test
    void signalOfManyReachesAllPages() {
        row.acquire(waits("a:1"));
        condition.await("a:1", waits("a:2"));
        for (int i = 3; i < 200; i++) {
            redis.command("ZADD", LIST, "900000000000" + (1_000 + i), condition.record(waits("a:" + i)));
        }
        row.acquire(waits("c:1"));
        assertThat(condition.signal("c:1", 150)).isEqualTo("signalled 150");
        assertThat(condition.list()).hasSize(48);
        assertThat(row.queue()).hasSize(150).endsWith("a:151");
    }

    @Test
    void signalThatIsNotPermittedChangesNothing() {
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        assertThat(condition.signal("c:2", 1)).isEqualTo("nothing 0");
        assertThat(condition.list()).containsExactly("a:1");
    }

    @Test
    void uncheckedSignalHandsAFreeLockOver() {
        condition.awaits("a:1");
        condition.awaits("a:2");
        try (Inbox a = row.subscribe("a:1")) {
            assertThat(condition.signal("", 1)).isEqualTo("signalled 1");
            assertThat(a.messages()).containsExactly("grant 1 a:1 " + row.fence() + " " + LOCK);
            assertThat(row.holder()).isEqualTo("a:1");
            assertThat(condition.signal("", 1)).isEqualTo("signalled 1");
            assertThat(a.messages()).isEmpty();
            assertThat(row.queue()).containsExactly("a:2");
        }
    }

    @Test
    void uncheckedSignalOfNoRequestLeavesTheQueueAlone() {
        row.acquire(waits("z:1"));
        row.acquire(polls("b:1"));
        redis.command("DEL", LOCK);
        assertThat(condition.signal("", 1)).isEqualTo("signalled 0");
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void signalReachesOneOwner() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        row.acquire(waits("c:1"));
        assertThat(condition.signal("c:1", 5, "owner-b:1")).isEqualTo("signalled 1");
        assertThat(row.queue()).containsExactly("b:1");
        assertThat(condition.signal("c:1", 5, "owner-b")).isEqualTo("signalled 0");
        assertThat(condition.list()).containsExactly("a:1");
    }

    @Test
    void signalPrefersRequestsThatHear() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        condition.awaits("a:2");
        row.acquire(waits("c:1"));
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(condition.signal("c:1", 1)).isEqualTo("signalled 1");
            assertThat(row.queue()).containsExactly("b:1");
            assertThat(condition.signal("c:1", 1)).isEqualTo("signalled 1");
            assertThat(row.queue()).as("no other is left").containsExactly("b:1", "a:1");
            assertThat(b.messages()).isEmpty();
        }
    }

    @Test
    void signalRemovesTheDeadBeforeTheLiving() {
        condition.awaits("a:1");
        condition.awaits("b:1");
        condition.awaits("a:2");
        row.silence("a:1");
        row.acquire(waits("c:1"));
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(condition.signal("c:1", 1)).isEqualTo("signalled 1");
            assertThat(row.queue()).containsExactly("b:1");
            assertThat(condition.list()).as("the one behind is not looked at").containsExactly("a:2");
            assertThat(condition.signal("c:1", 1)).isEqualTo("signalled 0");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(condition.list()).isEmpty();
    }

    @Test
    void requestThatCameBeforeItsProcessWasForgottenIsDead() {
        condition.awaits("a:1");
        redis.command("HDEL", WAIT, "a:");
        condition.awaits("a:2");
        row.acquire(waits("c:1"));
        assertThat(condition.signal("c:1", 1)).isEqualTo("signalled 1");
        assertThat(row.queue()).containsExactly("a:2");
        assertThat(condition.list()).isEmpty();
    }

    @Test
    void recordThatNoVersionWroteIsLeftAlone() {
        redis.command("ZADD", LIST, "1", "2 c a:0 60000 -1 0 owner label");
        redis.command("ZADD", LIST, "2", "no record");
        condition.awaits("a:1");
        row.acquire(waits("c:1"));
        assertThat(condition.signal("c:1", 5)).isEqualTo("signalled 1");
        assertThat(redis.command("ZCARD", LIST)).isEqualTo(2L);
    }

    @Test
    void conditionsAreApart() {
        condition.awaits("a:1");
        condition.other().awaits("a:2");
        row.acquire(waits("c:1"));
        assertThat(condition.other().signal("c:1", 5)).isEqualTo("signalled 1");
        assertThat(row.queue()).containsExactly("a:2");
        assertThat(condition.list()).containsExactly("a:1");
    }
}
