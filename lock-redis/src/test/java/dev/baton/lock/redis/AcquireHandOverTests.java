package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Inbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how acquire.lua treats a lock whose holder expired while other requests wait. */
@Tag("scripts")
class AcquireHandOverTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void heldByA() {
        redis.command("FLUSHALL");
        row.acquire(waits("a:1"));
    }

    @Test
    void acquireAnswersMoreAndPassesNoLiveWaiter() {
        row.queue(1_500, i -> waits("dead:" + i).patience(1));
        row.acquire(waits("b:1"));
        row.awaitTime(row.time() + 2_000);
        row.expire();
        try (Inbox b = row.subscribe("b:1")) {
            AcquireResult first = row.acquire(tries("c:1"));
            assertThat(first.more()).isEqualTo(1);
            assertThat(first.answers()).containsExactly("busy");
            AcquireResult second = row.acquire(tries("c:1"));
            assertThat(second.more()).isZero();
            assertThat(second.answers()).containsExactly("busy");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void acquireHandsAnExpiredLockToTheFirstWaiter() {
        row.acquire(waits("b:1").lease(7_000));
        row.expire();
        try (Inbox b = row.subscribe("b:1")) {
            AcquireResult reply = row.acquire(waits("c:1"));
            assertThat(reply.answers()).containsExactly("busy");
            assertThat(reply.mark()).isEqualTo(row.fence());
            assertThat(reply.holder())
                    .asString()
                    .isEqualTo("[b:1, %s, %s, %s, 0, 7000]"
                            .formatted(
                                    row.fence(),
                                    waits("b:1").owner(),
                                    waits("b:1").label()));
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
        }
        assertThat(row.queue()).containsExactly("c:1");
        assertThat(redis.ttl(LOCK)).isBetween(6_000L, 7_000L);
    }

    @Test
    void tryDoesNotPassALiveWaiter() {
        row.acquire(waits("b:1"));
        row.expire();
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(row.acquire(tries("c:1")).answers()).containsExactly("busy");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void waiterThatAsksFirstIsGrantedByTheReplyWithoutAMessage() {
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        row.expire();
        redis.resetStats();
        AcquireResult reply = row.acquire(waits("b:1"));
        assertThat(reply.answers()).containsExactly("granted " + row.fence() + " 0");
        assertThat(reply.holder()).isEmpty();
        assertThat(reply.more()).isZero();
        assertThat(redis.commandStats()).doesNotContainKeys("publish");
        assertThat(row.queue()).containsExactly("c:1");
    }

    @Test
    void oldestRequestOfABatchIsGrantedInAnyOrderOfTheBatch() {
        row.acquire(waits("b:1"));
        row.acquire(waits("b:2"));
        row.expire();
        assertThat(row.acquire(tries("b:3"), waits("b:2"), waits("b:1")).answers())
                .containsExactly("busy", "busy", "granted " + row.fence() + " 0");
    }

    @Test
    void newcomerIsGrantedAFreeLockWhileOlderWaitersAreDeaf() {
        row.acquire(waits("deaf:1"));
        row.expire();
        assertThat(row.acquire(tries("c:1")).answers()).containsExactly("granted " + row.fence() + " 0");
        assertThat(row.holder()).isEqualTo("c:1");
        assertThat(row.queue()).containsExactly("deaf:1");
        row.expire();
        assertThat(row.acquire(waits("d:1"), waits("d:2")).answers())
                .containsExactly("granted " + row.fence() + " 0", "busy");
        assertThat(row.queue()).containsExactly("deaf:1", "d:2");
    }

    @Test
    void acquireRemovesDeadWaitersInFront() {
        row.acquire(waits("late:1").patience(1));
        row.silentThenLive("silent:1");
        row.end("b:1");
        row.awaitTime(row.time() + 2_000);
        row.expire();
        assertThat(row.acquire(tries("c:1")).answers()).containsExactly("granted " + row.fence() + " 0");
        assertThat(row.keys()).doesNotContain(QUEUE, WAIT);
    }

    @Test
    void waiterBehindManyDeafWaitersKeepsItsPlace() {
        row.queue(1_100, i -> waits("deaf:" + i));
        row.expire();
        AcquireResult reply = row.acquire(waits("c:1"));
        assertThat(reply.answers()).containsExactly("busy");
        assertThat(reply.more()).isZero();
        assertThat(row.lock()).isEmpty();
        assertThat(row.queue()).hasSize(1_101).endsWith("c:1");
    }
}
