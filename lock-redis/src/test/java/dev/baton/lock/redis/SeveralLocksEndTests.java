package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LEASE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.SeveralLocks.lock;
import static dev.baton.lock.redis.SeveralLocks.over;
import static dev.baton.lock.redis.SeveralLocks.queue;
import static dev.baton.lock.redis.SeveralLocks.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.SeveralLocks.EndResult;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests release.lua for several locks, and for locks that are kept for a time. */
@Tag("scripts")
class SeveralLocksEndTests {

    private static final EndResult HOLDER = new EndResult("holder", List.of(), 0);
    private static final EndResult WAITER = new EndResult("waiter", List.of(), 0);
    private static final EndResult NOTHING = new EndResult("nothing", List.of(), 0);

    private final RedisView redis = ScriptServer.redis();
    private final SeveralLocks locks = new SeveralLocks(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void holderReleasesAllLocksWithoutAMessage() {
        locks.acquire(waits("m:1"), "a", "b");
        redis.resetStats();
        assertThat(locks.end("m:1", "a", "b")).isEqualTo(HOLDER);
        assertThat(redis.commandStats()).doesNotContainKeys("publish", "zrange");
        assertThat(locks.keys()).containsExactly(FENCE);
        assertThat(locks.end("m:1", "a", "b")).isEqualTo(NOTHING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void waiterLeavesEveryQueue(String busy) {
        locks.acquire(waits("s:1"), busy);
        locks.acquire(waits("m:1"), "a", "b");
        assertThat(locks.end("m:1", "a", "b")).isEqualTo(WAITER);
        assertThat(locks.keys()).containsExactly(FENCE, lock(busy));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void waiterInOneQueueOnlyIsAWaiter(String lost) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("m:1"), "a", "b");
        redis.command("DEL", queue(lost), waiting(lost));
        assertThat(locks.end("m:1", "a", "b")).isEqualTo(WAITER);
        assertThat(locks.keys()).containsExactly(FENCE, lock("a"));
    }

    @Test
    void holderOfSomeLocksReleasesThemAndIsAnsweredTheMissingLocks() {
        locks.acquire(waits("m:1"), "a", "b", "c");
        redis.command("DEL", lock("b"), lock("c"));
        locks.acquire(waits("s:1"), "c");
        assertThat(locks.end("m:1", "a", "b", "c")).isEqualTo(new EndResult("nothing", List.of(2L, 3L), 0));
        assertThat(locks.keys()).containsExactly(FENCE, lock("c"));
        assertThat(locks.holder("c")).isEqualTo("s:1");
    }

    @Test
    void doubtfulEndLeavesOneMark() {
        locks.acquire(waits("m:1"), "a", "b");
        assertThat(locks.end("m:1", 30_000, 0, "a", "b")).isEqualTo(HOLDER);
        assertThat(locks.keys()).containsExactly(FENCE, over("a", "m:1"));
        assertThat(redis.ttl(over("a", "m:1"))).isBetween(29_000L, 30_000L);
    }

    @Test
    void eachLockGoesToTheFirstOfItsQueueWithATokenOfItsOwn() {
        locks.acquire(waits("m:1"), "a", "b", "c");
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("s:2"), "b");
        try (Inbox inbox = locks.subscribe("s:1")) {
            assertThat(locks.end("m:1", "a", "b", "c")).isEqualTo(HOLDER);
            String first = locks.fields("a").get("token");
            String second = locks.fields("b").get("token");
            assertThat(inbox.messages())
                    .containsExactly(
                            "grant 1 s:1 " + first + " " + lock("a"), "grant 1 s:2 " + second + " " + lock("b"));
            assertThat(Long.parseLong(second)).isGreaterThan(Long.parseLong(first));
        }
        assertThat(locks.keys()).containsExactly(FENCE, lock("a"), lock("b"));
    }

    @Test
    void allLocksAreFreeBeforeAnyHandOver() {
        locks.acquire(waits("m:1"), "a", "b");
        locks.acquire(waits("n:1"), "a", "b");
        locks.acquire(waits("s:1"), "b");
        try (Inbox inbox = locks.subscribe("n:1");
                Inbox other = locks.subscribe("s:1")) {
            assertThat(locks.end("m:1", "a", "b")).isEqualTo(HOLDER);
            assertThat(inbox.messages())
                    .containsExactly("grant 2 n:1 " + locks.fence() + " 13 " + lock("a") + " 13 " + lock("b"));
            assertThat(other.messages()).isEmpty();
        }
        assertThat(locks.holder("a")).isEqualTo("n:1");
        assertThat(locks.holder("b")).isEqualTo("n:1");
        assertThat(locks.fields("a").get("token")).isEqualTo(locks.fields("b").get("token"));
        assertThat(redis.ttl(lock("a"))).isBetween(LEASE - 1_000, LEASE);
        assertThat(redis.ttl(lock("b"))).isBetween(LEASE - 1_000, LEASE);
        assertThat(locks.keys()).containsExactly(FENCE, lock("a"), lock("b"), queue("b"));
        assertThat(locks.waiters("b")).containsExactly("s:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void moreIsAnsweredForEachQueue(String name) {
        String other = name.equals("a") ? "b" : "a";
        locks.acquire(waits("m:1"), "a", "b");
        IntStream.range(0, 1_100)
                .forEach(i -> redis.command(
                        "ZADD", queue(name), "1", waits("gone:" + i).record()));
        locks.acquire(polls("s:1"), other);
        assertThat(locks.end("m:1", "a", "b")).isEqualTo(new EndResult("holder", List.of(), 1));
        assertThat(locks.holder(other)).isEqualTo("s:1");
        assertThat(locks.end("m:1", "a", "b")).isEqualTo(NOTHING);
        assertThat(locks.keys()).containsExactly(FENCE, lock(other));
    }

    @Test
    void keptLockHasNoHolderUntilItsTimeIsOver() {
        locks.acquire(waits("m:1"), "a", "b");
        locks.acquire(polls("s:1"), "a");
        assertThat(locks.end("m:1", 0, 7_000, "a", "b")).isEqualTo(HOLDER);
        for (String name : List.of("a", "b")) {
            assertThat(locks.fields(name)).containsEntry("id", "").containsEntry("mode", "x");
            assertThat(redis.ttl(lock(name))).isBetween(6_000L, 7_000L);
        }
        assertThat(locks.renew("m:1", LEASE, "a", "b").toString()).isEqualTo("[0, 0]");
        assertThat(locks.end("m:1", "a", "b")).isEqualTo(NOTHING);
        assertThat(locks.acquire(polls("s:1"), "a").holder()).satisfies(holder -> {
            assertThat(holder.get(0)).isEqualTo("");
            assertThat((Long) holder.get(5)).isBetween(6_000L, 7_000L);
        });
        assertThat(locks.acquire(tries("m:1"), "a", "b").answers()).containsExactly("busy");
        locks.expire("a");
        assertThat(locks.acquire(polls("s:1"), "a").answer()).startsWith("granted");
    }

    @Test
    void lockIsNotKeptBeyondItsLease() {
        locks.acquire(waits("s:1").lease(3_000), "a");
        assertThat(locks.end("s:1", 0, 7_000, "a")).isEqualTo(HOLDER);
        assertThat(redis.ttl(lock("a"))).isBetween(2_000L, 3_000L);
        assertThat(locks.holder("a")).isEmpty();
    }

    @Test
    void keptLockWithoutExpiryGetsAnExpiry() {
        locks.acquire(waits("s:1"), "a");
        redis.command("PERSIST", lock("a"));
        locks.end("s:1", 0, 7_000, "a");
        assertThat(redis.ttl(lock("a"))).isBetween(6_000L, 7_000L);
    }

    @Test
    void requestWithoutALockKeepsNoLock() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("s:2"), "a");
        assertThat(locks.end("s:2", 0, 7_000, "a")).isEqualTo(WAITER);
        assertThat(locks.end("s:3", 0, 7_000, "b")).isEqualTo(NOTHING);
        assertThat(locks.holder("a")).isEqualTo("s:1");
        assertThat(locks.keys()).containsExactly(FENCE, lock("a"));
    }
}
