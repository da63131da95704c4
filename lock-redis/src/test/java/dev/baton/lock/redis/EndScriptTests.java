package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static dev.baton.lock.redis.LockRow.over;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the replies and writes of release.lua, except the choice of the next holder. */
@Tag("scripts")
class EndScriptTests {

    private static final EndResult HOLDER = new EndResult("holder", 0);
    private static final EndResult WAITER = new EndResult("waiter", 0);
    private static final EndResult NOTHING = new EndResult("nothing", 0);

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void holderReleasesALockWithoutWaitersWithoutAMessage() {
        row.acquire(waits("a:1"));
        redis.resetStats();
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(redis.commandStats()).containsEntry("evalsha", 1L).doesNotContainKeys("publish", "pubsub", "zrange");
        assertThat(row.handedTo()).isEmpty();
        assertThat(redis.keys()).containsExactly(FENCE);
    }

    /** In a damaged queue, every process with a readable field counts as alive. */
    @Test
    void waiterIsGrantedWithoutATimeOfTheLastAcquire() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        redis.command("HDEL", WAIT, "run");
        try (Inbox inbox = row.subscribe("b:1")) {
            assertThat(row.end("a:1")).isEqualTo(HOLDER);
            assertThat(inbox.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void holderHandsTheLockToTheFirstWaiterByAMessage() {
        redis.command("SET", FENCE, "1"); // without a fence, the first token is ahead of the clock
        String first = row.acquire(waits("a:1")).token();
        row.acquire(waits("b:1").lease(7_000));
        row.acquire(waits("c:1"));
        try (Inbox inbox = row.subscribe("b:1")) {
            long before = row.time();
            assertThat(row.end("a:1")).isEqualTo(HOLDER);
            String token = row.fence();

            assertThat(row.handedTo()).asString().isEqualTo("[b:1]");
            assertThat(row.grantedToken()).as("the message has the token").isEqualTo("");
            assertThat(inbox.messages()).containsExactly("grant 1 b:1 " + token + " " + LOCK);
            assertThat(Long.parseLong(token))
                    .isGreaterThan(Long.parseLong(first))
                    .isBetween(before, row.time() + 1);
            assertThat(row.lock())
                    .containsEntry("mode", "x")
                    .containsEntry("id", "b:1")
                    .containsEntry("token", token)
                    .containsEntry("owner", waits("b:1").owner())
                    .containsEntry("label", waits("b:1").label());
            assertThat(Long.parseLong(row.lock().get("since"))).isBetween(before, row.time());
            assertThat(redis.ttl(LOCK)).as("the lease of the new holder").isBetween(6_000L, 7_000L);
            assertThat(row.queue()).containsExactly("c:1");
            assertThat(row.waiting()).containsOnlyKeys("b:", "c:", "run");
        }
    }

    @Test
    void grantOfTheLastWaiterDeletesTheQueue() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox inbox = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(inbox.messages()).hasSize(1);
        }
        assertThat(row.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void grantHasATokenAboveTheFenceOnAnyClock() {
        redis.command("SET", FENCE, "9000000000000001");
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox inbox = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(inbox.messages()).containsExactly("grant 1 b:1 9000000000000005 " + LOCK);
        }
        assertThat(row.fence()).isEqualTo("9000000000000005");
    }

    @Test
    void waitersAreServedInTheOrderOfArrival() {
        row.acquire(waits("a:1"));
        row.acquire(waits("z:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("z:2"));
        try (Inbox z = row.subscribe("z:1");
                Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(row.holder()).isEqualTo("z:1");
            row.end("z:1");
            assertThat(row.holder()).isEqualTo("b:1");
            row.end("b:1");
            assertThat(row.holder()).isEqualTo("z:2");
            assertThat(z.messages()).hasSize(2);
            assertThat(b.messages()).hasSize(1);
        }
    }

    @Test
    void waiterLeavesTheQueueAndNothingElseChanges() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        Map<String, String> before = row.lock();
        try (Inbox inbox = row.subscribe("c:1")) {
            assertThat(row.end("b:1")).isEqualTo(WAITER);
            assertThat(inbox.messages()).isEmpty();
        }
        assertThat(row.lock()).isEqualTo(before);
        assertThat(row.queue()).containsExactly("c:1");
        assertThat(row.waiting()).containsOnlyKeys("b:", "c:", "run");
    }

    @Test
    void leaveOfTheLastWaiterDeletesTheQueue() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.end("b:1");
        assertThat(row.keys()).containsExactly(FENCE, LOCK);
        assertThat(redis.ttl(WAIT)).as("the hash expires").isBetween(139_000L, 140_000L);
    }

    @Test
    void unknownRequestIsNothing() {
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void endActsOnItsOwnGrantOnly() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        Map<String, String> before = row.lock();
        assertThat(row.end("a:2")).isEqualTo(NOTHING);
        assertThat(row.lock()).isEqualTo(before);
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void lateEndOfAnExpiredLeaseDoesNotTouchTheNextHolder() {
        row.acquire(waits("a:1"));
        row.expire();
        row.acquire(waits("b:1"));
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void repeatedEndIsNothing() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox inbox = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(row.end("a:1")).isEqualTo(NOTHING);
            assertThat(inbox.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void anyEndHandsAFreeLockOver() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"), waits("b:2"));
        row.acquire(waits("c:1"));
        row.expire();
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.end("b:1")).isEqualTo(WAITER);
            assertThat(row.holder()).isEqualTo("b:2");
            assertThat(row.grantedToken()).isEqualTo(row.lock().get("token"));
            assertThat(b.messages())
                    .as("the process of the end gets the token by the answer")
                    .isEmpty();
        }
        row.expire();
        try (Inbox c = row.subscribe("c:1")) {
            assertThat(row.end("a:1")).isEqualTo(NOTHING);
            assertThat(row.holder()).isEqualTo("c:1");
            assertThat(c.messages()).hasSize(1);
        }
    }

    @Test
    void doubtfulEndLeavesAMarkForItsTimeForAnyRequest() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        assertThat(row.end("b:1", 30_000)).isEqualTo(WAITER);
        assertThat(row.end("a:1", 40_000)).isEqualTo(HOLDER);
        assertThat(row.end("c:1", 50_000)).isEqualTo(NOTHING);
        assertThat(redis.ttl(over("b:1"))).isBetween(29_000L, 30_000L);
        assertThat(redis.ttl(over("a:1"))).isBetween(39_000L, 40_000L);
        assertThat(redis.ttl(over("c:1"))).isBetween(49_000L, 50_000L);
    }

    @Test
    void endWithoutDoubtLeavesNoMark() {
        row.acquire(waits("a:1"));
        row.end("a:1");
        assertThat(redis.keys()).containsExactly(FENCE);
        assertThat(row.acquire(waits("a:1")).answer()).startsWith("granted");
    }

    @Test
    void unknownModeIsNotReleasedEvenUnderTheSameId() {
        row.acquire(waits("b:1"));
        row.acquire(waits("a:1"));
        redis.command("SET", LOCK, "2 q a:1 3 5 owner label", "KEEPTTL");
        Map<String, String> before = row.lock();
        assertThat(row.end("a:1")).isEqualTo(WAITER);
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(row.lock()).isEqualTo(before);
    }

    @Test
    void queueWithoutLiveWaitersIsDeletedWithTheLock() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1").patience(1));
        row.awaitTime(row.time() + 2_000);
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(row.keys()).containsExactly(FENCE).doesNotContain(QUEUE, WAIT);
        assertThat(row.acquire(tries("c:1")).answer()).startsWith("granted");
    }
}
