package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LEASE;
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
import dev.baton.lock.redis.script.LuaScript;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the replies and writes of acquire.lua and renew.lua for several locks. */
@Tag("scripts")
class SeveralLocksScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final SeveralLocks locks = new SeveralLocks(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"try", "message", "poll"})
    void freeLocksAreGrantedTogetherWithOneToken(String kind) {
        AcquireResult reply = locks.acquire(new LockRow.Request("m:1", kind, LEASE, 5_000), "a", "b", "c");
        assertThat(reply.answers()).containsExactly("granted " + locks.fence() + " 0");
        assertThat(reply.mark()).isEqualTo(reply.token());
        assertThat(reply.holder()).isEmpty();
        for (String name : List.of("a", "b", "c")) {
            assertThat(locks.fields(name))
                    .containsEntry("id", "m:1")
                    .containsEntry("token", reply.token())
                    .containsEntry("mode", "x");
            assertThat(redis.ttl(lock(name))).isBetween(LEASE - 1_000, LEASE);
        }
        assertThat(locks.keys()).containsExactly(FENCE, lock("a"), lock("b"), lock("c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void oneBusyLockPreventsAllGrants(String busy) {
        String token = locks.acquire(waits("s:1"), busy).token();
        AcquireResult reply = locks.acquire(waits("m:1"), "a", "b");
        assertThat(reply.answers()).containsExactly("busy");
        assertThat(reply.mark()).isEqualTo(token);
        assertThat(reply.holder().get(0)).isEqualTo("s:1");
        assertThat(locks.holder(busy)).isEqualTo("s:1");
        assertThat(locks.holder(busy.equals("a") ? "b" : "a")).isEqualTo("none");
    }

    @Test
    void holderOfTheFirstBusyLockIsShown() {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(waits("s:2"), "c");
        assertThat(locks.acquire(tries("m:1"), "a", "b", "c").holder().get(0)).isEqualTo("s:1");
    }

    @Test
    void tryLeavesNoTrace() {
        locks.acquire(waits("s:1"), "b");
        assertThat(locks.acquire(tries("m:1"), "a", "b").answers()).containsExactly("busy");
        assertThat(locks.keys()).containsExactly(FENCE, lock("b"));
    }

    @Test
    void waiterIsInEveryQueueWithTheSameArrivalAndRecord() {
        locks.acquire(waits("s:1"), "b");
        long before = locks.time();
        assertThat(locks.acquire(7_000, waits("m:1"), "a", "b").deaf()).isEqualTo(1);
        double arrival = locks.arrival("a", "m:1");
        assertThat(arrival).isBetween((double) before, (double) locks.time());
        assertThat(locks.arrival("b", "m:1")).isEqualTo(arrival);
        assertThat(locks.record("a", "m:1"))
                .isEqualTo(waits("m:1").record() + " 7000 lock:lock:{a} lock:lock:{b}")
                .isEqualTo(locks.record("b", "m:1"));
        for (String name : List.of("a", "b")) {
            assertThat(redis.ttl(queue(name))).isBetween(139_000L, 140_000L);
            assertThat(redis.ttl(waiting(name))).isBetween(139_000L, 140_000L);
            assertThat(locks.process(name, "m:1").until()).isGreaterThanOrEqualTo(before + 40_000_000);
            assertThat(Long.parseLong(locks.run(name).split(" ")[0])).isGreaterThanOrEqualTo(before);
        }
        assertThat(redis.keys()).containsExactly(FENCE, lock("b"), queue("a"), queue("b"), waiting("a"), waiting("b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void waiterOfAForgottenProcessGetsNewPlacesInAllQueues(String forgotten) {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(waits("m:1"), "a", "b");
        double arrival = locks.arrival("a", "m:1");
        locks.acquire(waits("t:1"), "b");
        redis.command("HDEL", waiting(forgotten), "m:");
        assertThat(locks.acquire(waits("m:1"), "a", "b").fresh()).isOne();
        assertThat(locks.waiters("b")).containsExactly("t:1", "m:1");
        assertThat(locks.arrival("a", "m:1"))
                .isEqualTo(locks.arrival("b", "m:1"))
                .isGreaterThan(arrival);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void waiterIsDeafIfItsProcessIsRefreshedForOneOfItsLocks(String refreshed) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("s:2"), "b");
        locks.acquire(waits("m:1"), refreshed.equals("a") ? "b" : "a");
        assertThat(locks.acquire(waits("m:2"), "a", "b").deaf()).isEqualTo(1);
    }

    @Test
    void waiterIsFreshUnlessItIsInAQueue() {
        locks.acquire(waits("s:1"), "b");
        assertThat(locks.acquire(waits("m:1"), "a", "b").fresh()).isEqualTo(1);
        assertThat(locks.acquire(waits("m:1"), "a", "b").fresh()).isZero();
        redis.command("DEL", queue("a"));
        assertThat(locks.acquire(waits("m:1"), "a", "b").fresh())
                .as("it lost one of its places")
                .isOne();
        assertThat(locks.acquire(waits("m:1"), "a", "b").fresh()).isZero();
        assertThat(redis.ttl(queue("a"))).isBetween(139_000L, 140_000L);
        redis.command("DEL", queue("a"), queue("b"));
        assertThat(locks.acquire(waits("m:1"), "a", "b").fresh()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void arrivalIsAfterAllWaitersOfEveryQueue(String longest) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("s:2"), "b");
        locks.acquire(waits("s:3"), longest);
        redis.command("ZADD", queue(longest), "9000000000000001", locks.record(longest, "s:3"));
        locks.acquire(waits("m:1"), "a", "b");
        assertThat(locks.arrival("a", "m:1")).isEqualTo(9000000000000002d);
        assertThat(locks.arrival("b", "m:1")).isEqualTo(9000000000000002d);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void repeatRestoresThePlaceInALostQueue(String lost) {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(7_000, waits("m:1"), "a", "b");
        double arrival = locks.arrival("a", "m:1");
        redis.command("DEL", queue(lost));
        assertThat(locks.acquire(7_000, waits("m:1"), "a", "b").answers()).containsExactly("busy");
        for (String name : List.of("a", "b")) {
            assertThat(locks.arrival(name, "m:1")).isEqualTo(arrival);
            assertThat(Waiter.parse(locks.record(name, "m:1")).number("pass")).isEqualTo(7_000);
        }
    }

    @Test
    void repeatOfAHolderKeepsItsTokenAndRenewsAllLeases() {
        String token = locks.acquire(waits("m:1"), "a", "b").token();
        redis.command("PEXPIRE", lock("a"), "1000");
        redis.command("PEXPIRE", lock("b"), "1000");
        assertThat(locks.acquire(waits("m:1"), "a", "b").answers()).containsExactly("granted " + token + " 1");
        assertThat(redis.ttl(lock("a"))).isBetween(LEASE - 1_000, LEASE);
        assertThat(redis.ttl(lock("b"))).isBetween(LEASE - 1_000, LEASE);
        assertThat(locks.keys()).containsExactly(FENCE, lock("a"), lock("b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void holderOfSomeLocksIsGrantedAllAgainIfTheOthersAreFree(String deleted) {
        String token = locks.acquire(waits("m:1"), "a", "b").token();
        redis.command("DEL", lock(deleted));
        AcquireResult reply = locks.acquire(waits("m:1"), "a", "b");
        assertThat(reply.answers()).containsExactly("granted " + locks.fence() + " 0");
        assertThat(Long.parseLong(reply.token())).isGreaterThan(Long.parseLong(token));
        assertThat(locks.fields("a")).containsEntry("token", reply.token());
        assertThat(locks.fields("b")).containsEntry("token", reply.token());
    }

    @Test
    void holderOfSomeLocksKeepsThemAndWaitsForTheOthers() {
        locks.acquire(waits("m:1"), "a", "b");
        redis.command("DEL", lock("b"));
        locks.acquire(waits("s:1"), "b");
        assertThat(locks.acquire(waits("m:1"), "a", "b").answers()).containsExactly("busy");
        assertThat(locks.holder("a")).isEqualTo("m:1");
        assertThat(locks.holder("b")).isEqualTo("s:1");
        try (Inbox inbox = locks.subscribe("m:1")) {
            locks.end("s:1", "b");
            assertThat(inbox.messages()).hasSize(1);
        }
        assertThat(locks.holder("b")).isEqualTo("m:1");
        assertThat(locks.fields("a")).containsEntry("token", locks.fence());
    }

    @Test
    void endedRequestIsOver() {
        locks.end("m:1", 60_000, 0, "a", "b");
        assertThat(locks.acquire(waits("m:1"), "a", "b").answers()).containsExactly("over");
        assertThat(locks.keys()).containsExactly(SeveralLocks.over("a", "m:1"));
    }

    @Test
    void repeatOfAWaiterIsGrantedLocksThatExpiredUnnoticed() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("s:2"), "b");
        locks.acquire(waits("m:1"), "a", "b");
        locks.expire("a");
        assertThat(locks.acquire(waits("m:1"), "a", "b").answers()).containsExactly("busy");
        assertThat(locks.holder("a")).isEqualTo("none");
        locks.expire("b");
        redis.resetStats();
        assertThat(locks.acquire(waits("m:1"), "a", "b").answers()).containsExactly("granted " + locks.fence() + " 0");
        assertThat(redis.commandStats()).doesNotContainKey("publish");
        assertThat(locks.keys()).containsExactly(FENCE, lock("a"), lock("b"));
    }

    @Test
    void freeLockIsHandedToTheWaiterInFront() {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(waits("s:2"), "b");
        locks.expire("b");
        try (Inbox inbox = locks.subscribe("s:2")) {
            AcquireResult reply = locks.acquire(waits("m:1"), "a", "b");
            assertThat(reply.answers()).containsExactly("busy");
            assertThat(reply.more()).isZero();
            assertThat(reply.holder().get(0)).isEqualTo("s:2");
            assertThat(inbox.messages()).hasSize(1);
        }
        assertThat(locks.holder("b")).isEqualTo("s:2");
        assertThat(locks.holder("a")).isEqualTo("none");
    }

    @Test
    void tryHandsAFreeLockOverAndIsNotGranted() {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(polls("s:2"), "b");
        locks.expire("b");
        assertThat(locks.acquire(tries("m:1"), "a", "b").answers()).containsExactly("busy");
        assertThat(locks.holder("b")).isEqualTo("s:2");
        assertThat(locks.holder("a")).isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void moreIsAnsweredForEachQueue(String name) {
        IntStream.range(0, 1_100)
                .forEach(i -> redis.command(
                        "ZADD", queue(name), "1", waits("gone:" + i).record()));
        AcquireResult reply = locks.acquire(tries("m:1"), "a", "b");
        assertThat(reply.answers()).containsExactly("busy");
        assertThat(reply.more()).isEqualTo(1);
        assertThat(locks.acquire(tries("m:1"), "a", "b").answer()).startsWith("granted");
    }

    @Test
    void acquireOfAnEndedRequestHandsAFreeLockOver() {
        locks.acquire(waits("s:1"), "b");
        locks.acquire(polls("s:2"), "b");
        locks.expire("b");
        locks.end("m:1", 60_000, 0, "a", "c");
        assertThat(locks.acquire(waits("m:1"), "a", "b").answers()).containsExactly("over");
        assertThat(locks.holder("b")).isEqualTo("s:2");
        assertThat(locks.holder("a")).isEqualTo("none");
    }

    @Test
    void renewalExtendsAllLocks() {
        locks.acquire(waits("m:1"), "a", "b");
        assertThat(locks.renew("m:1", 90_000, "a", "b").toString()).isEqualTo("[1, 1]");
        assertThat(redis.ttl(lock("a"))).isBetween(89_000L, 90_000L);
        assertThat(redis.ttl(lock("b"))).isBetween(89_000L, 90_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void renewalWithAMissingLockNamesItAndExtendsNone(String deleted) {
        locks.acquire(waits("m:1"), "a", "b");
        redis.command("DEL", lock(deleted));
        assertThat(locks.renew("m:1", 90_000, "a", "b").toString())
                .isEqualTo(deleted.equals("a") ? "[0, 1]" : "[1, 0]");
        assertThat(redis.ttl(lock(deleted.equals("a") ? "b" : "a"))).isLessThanOrEqualTo(LEASE);
    }

    @Test
    void leaseAfterALostLeaseIsRenewed() {
        locks.acquire(waits("m:1"), "a", "b");
        locks.acquire(waits("s:1"), "c");
        redis.command("DEL", lock("b"));
        List<?> answers = new LockRow(redis)
                .call(
                        LuaScript.RENEW,
                        List.of(lock("a"), lock("b"), lock("c")),
                        List.of("m:1", "2", "90000", "s:1", "1", "80000"));
        assertThat(answers.toString()).isEqualTo("[1, 0, 1]");
        assertThat(redis.ttl(lock("c"))).isBetween(79_000L, 80_000L);
    }
}
