package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.SeveralLocks.lock;
import static dev.baton.lock.redis.SeveralLocks.queue;
import static dev.baton.lock.redis.SeveralLocks.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.SeveralLocks.EndResult;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which requests may pass a waiter for several locks, and for how long: a free lock is granted to others, or
 * kept.
 */
@Tag("scripts")
class SeveralLocksHandOverTests {

    private final RedisView redis = ScriptServer.redis();
    private final SeveralLocks locks = new SeveralLocks(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    /** Makes {@code s:1} hold b, so that {@code m:1} waits for a and b; a is free. */
    private void waitsForB(long pass) {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(pass, waits("m:1"), "a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"try", "message", "poll"})
    void freeLockIsGrantedToAnotherRequestWithinThePatience(String kind) {
        waitsForB(SeveralLocks.PATIENT);
        try (Inbox inbox = locks.subscribe("m:1")) {
            assertThat(locks.acquire(new LockRow.Request("s:2", kind, LockRow.LEASE, 5_000), "a")
                            .answer())
                    .startsWith("granted");
            assertThat(inbox.messages()).isEmpty();
        }
        assertThat(locks.holder("a")).isEqualTo("s:2");
        assertThat(locks.waiters("a")).containsExactly("m:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"try", "message", "poll"})
    void freeLockIsKeptAfterThePatience(String kind) {
        waitsForB(0);
        try (Inbox inbox = locks.subscribe("m:1")) {
            AcquireResult reply = locks.acquire(new LockRow.Request("s:2", kind, LockRow.LEASE, 5_000), "a");
            assertThat(reply.answers()).containsExactly("busy");
            assertThat(reply.holder()).isEmpty();
            assertThat(reply.more()).isZero();
            assertThat(locks.holder("a")).isEqualTo("none");
            assertThat(inbox.messages()).isEmpty();
            assertThat(locks.end("s:1", "b").what()).isEqualTo("holder");
            assertThat(inbox.messages())
                    .containsExactly("grant 2 m:1 " + locks.fence() + " 13 " + lock("a") + " 13 " + lock("b"));
        }
        assertThat(locks.holder("a")).isEqualTo("m:1");
        assertThat(locks.holder("b")).isEqualTo("m:1");
    }

    @Test
    void patienceIsCountedFromTheArrival() {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(1, waits("m:1"), "a", "b");
        locks.pause();
        locks.acquire(1, polls("m:1"), "a", "b");
        assertThat(locks.acquire(tries("s:2"), "a").answers()).containsExactly("busy");
    }

    @Test
    void releaseWithinThePatienceGoesToTheNextWaiter() {
        locks.acquire(waits("s:2"), "a");
        waitsForB(SeveralLocks.PATIENT);
        locks.acquire(waits("t:1"), "a");
        try (Inbox inbox = locks.subscribe("m:1");
                Inbox next = locks.subscribe("t:1")) {
            assertThat(locks.end("s:2", "a").what()).isEqualTo("holder");
            assertThat(inbox.messages()).isEmpty();
            assertThat(next.messages()).hasSize(1);
        }
        assertThat(locks.holder("a")).isEqualTo("t:1");
        assertThat(locks.waiters("a")).containsExactly("m:1");
        assertThat(locks.waiters("b")).containsExactly("m:1");
    }

    @Test
    void releaseAfterThePatienceKeepsTheLockFree() {
        locks.acquire(waits("s:2"), "a");
        waitsForB(0);
        locks.acquire(polls("s:3"), "a");
        try (Inbox inbox = locks.subscribe("m:1")) {
            assertThat(locks.end("s:2", "a")).isEqualTo(new EndResult("holder", List.of(), 0));
            assertThat(inbox.messages()).isEmpty();
        }
        assertThat(locks.keys()).doesNotContain(lock("a"));
        assertThat(locks.waiters("a")).containsExactly("m:1", "s:3");
        locks.acquireImpatient(polls("m:1"), "a", "b");
        locks.end("s:1", "b");
        assertThat(locks.holder("a")).isEqualTo("m:1");
        locks.end("m:1", "a", "b");
        assertThat(locks.holder("a")).isEqualTo("s:3");
    }

    @Test
    void leavingWaiterHandsOverTheLocksKeptForIt() {
        waitsForB(0);
        try (Inbox inbox = locks.subscribe("m:1");
                Inbox other = locks.subscribe("s:1")) {
            locks.acquire(waits("s:2"), "a");
            assertThat(locks.holder("a")).isEqualTo("none");
            assertThat(locks.end("m:1", "a", "b").what()).isEqualTo("waiter");
            assertThat(other.messages()).containsExactly("grant 1 s:2 " + locks.fence() + " " + lock("a"));
            assertThat(inbox.messages()).isEmpty();
        }
        assertThat(locks.holder("b")).isEqualTo("s:1");
    }

    @Test
    void deafWaiterIsPassedAfterItsPatience() {
        waitsForB(0);
        assertThat(locks.acquire(tries("s:2"), "a").answer()).startsWith("granted");
    }

    @Test
    void freeLockIsKeptForAPollingWaiter() {
        locks.acquire(waits("s:1"), "b");
        locks.acquireImpatient(polls("m:1"), "a", "b");
        assertThat(locks.acquire(tries("s:2"), "a").answers()).containsExactly("busy");
        redis.resetStats();
        locks.end("s:1", "b");
        assertThat(redis.commandStats()).doesNotContainKey("publish");
        assertThat(locks.holder("a")).isEqualTo("m:1");
    }

    @Test
    void recheckKeepsAFreeLockForADeafWaiter() {
        waitsForB(0);
        // the inbox of m has no subscriber, but m asks
        AcquireResult reply = locks.acquireImpatient(waits("m:1"), "a", "b");
        assertThat(reply.answers()).containsExactly("busy");
        assertThat(reply.holder().get(0)).isEqualTo("s:1");
        assertThat(locks.holder("a")).isEqualTo("none");
    }

    @Test
    void lateWaiterIsRemovedFromEveryQueue() {
        locks.acquire(waits("s:2"), "a");
        locks.acquire(waits("s:1"), "b");
        locks.acquireImpatient(polls("m:1").patience(1), "a", "b");
        locks.acquire(polls("s:3"), "a");
        locks.pause();
        locks.end("s:2", "a");
        assertThat(locks.holder("a")).isEqualTo("s:3");
        assertThat(locks.keys()).doesNotContain(queue("a"), waiting("a"), queue("b"), waiting("b"));
    }

    @Test
    void silentWaiterIsRemovedFromEveryQueue() {
        locks.acquire(waits("s:2"), "a");
        locks.acquire(waits("s:1"), "b");
        locks.acquire(waits("s:4"), "a");
        locks.acquire(1, 0, polls("m:1"), "a", "b");
        locks.silence("m:1", "a");
        locks.acquire(polls("s:3"), "a");
        locks.end("s:4", "a");
        locks.end("s:2", "a");
        assertThat(locks.holder("a")).isEqualTo("s:3");
        assertThat(locks.keys()).doesNotContain(queue("a"), waiting("a"), queue("b"));
    }

    @Test
    void waiterRemovedFromOneQueueDoesNotBlockAnotherQueue() {
        locks.acquire(waits("s:2"), "a");
        locks.acquire(waits("z:1"), "a");
        try (Inbox inbox = locks.subscribe("m:1")) {
            locks.acquire(1, 0, waits("m:1"), "a", "b");
            locks.acquireImpatient(polls("t:2"), "a", "b");
            locks.silence("m:1", "a");
            locks.acquire(polls("s:3"), "a");
            // in b, the process counts as alive
            redis.command("HSET", waiting("b"), "m:", "9000000000000000 5 5 m " + LockRow.inbox("m:1"));
            locks.end("z:1", "a");
            locks.end("s:2", "a");
            assertThat(locks.holder("a")).isEqualTo("t:2");
            assertThat(locks.holder("b")).isEqualTo("t:2");
            assertThat(locks.waiters("a")).containsExactly("s:3");
            assertThat(locks.keys()).doesNotContain(queue("b"), waiting("b"));
            assertThat(inbox.messages()).isEmpty();
        }
    }

    @Test
    void otherWaitersOfTheQueuesAreKept() {
        locks.acquire(waits("s:2"), "a");
        locks.acquire(waits("s:1"), "b");
        locks.acquireImpatient(polls("m:1").patience(1), "a", "b");
        locks.acquire(waits("s:5"), "b");
        locks.pause();
        locks.end("s:2", "a");
        assertThat(locks.waiters("b")).containsExactly("s:5");
        assertThat(locks.record("b", "s:5")).isNotNull();
        assertThat(locks.record("b", "m:1")).isNull();
    }

    @Test
    void messageHasTheBytesOfAnyKey() {
        String odd = "x.a b\n:lock:\u00fc\"\\ 13 /\ud83d\ude80";
        locks.acquire(waits("s:1"), odd);
        locks.acquire(waits("m:1"), "a", odd);
        assertThat(locks.waiters(odd)).containsExactly("m:1");
        try (Inbox inbox = locks.subscribe("m:1")) {
            locks.end("s:1", odd);
            int bytes = lock(odd).getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
            assertThat(inbox.messages())
                    .containsExactly(
                            "grant 2 m:1 " + locks.fence() + " 13 " + lock("a") + " " + bytes + " " + lock(odd));
        }
        assertThat(locks.holder(odd)).isEqualTo("m:1");
        assertThat(locks.keys()).doesNotContain(queue(odd), waiting(odd));
    }

    /** A field of a later version follows the names. */
    @ParameterizedTest
    @ValueSource(strings = {" later", " later 5", " 5", " 5 ", " -5 lock:lock:{b}"})
    void recordWithOtherFieldsIsForOneLock(String fields) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(polls("m:1"), "a");
        String record = locks.record("a", "m:1");
        redis.command("DEL", queue("a"));
        redis.command("ZADD", queue("a"), "9000000000000000", record + fields);
        locks.end("s:1", "a");
        assertThat(locks.holder("a")).isEqualTo("m:1");
        assertThat(locks.waiters("a")).isEmpty();
    }

    @Test
    void keyWithAnEscapedTextIsRestored() {
        String odd = "x.%20 %25%2520";
        locks.acquire(waits("s:1"), odd);
        locks.acquire(polls("m:1"), odd, "b");
        locks.end("s:1", odd);
        assertThat(locks.holder(odd)).isEqualTo("m:1");
        assertThat(locks.waiters(odd)).isEmpty();
    }
}
