package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.SeveralLocks.queue;
import static dev.baton.lock.redis.SeveralLocks.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.LockRow.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which waiters a waiter for several locks may pass, in each of its queues. */
@Tag("scripts")
class SeveralLocksOrderTests {

    private final RedisView redis = ScriptServer.redis();
    private final SeveralLocks locks = new SeveralLocks(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    /**
     * Makes {@code s:1} hold a. The lock b is free after an expired lease, and {@code first} is in its queue before
     * {@code m:1}, which waits for both locks.
     */
    private void queueBeforeInB(Request first, String... names) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        locks.acquire(first, names);
        locks.acquire(polls("m:1"), "a", "b");
        locks.expire("b");
    }

    private void assertPassed() {
        locks.end("s:1", "a");
        assertThat(locks.holder("a")).isEqualTo("m:1");
        assertThat(locks.holder("b")).isEqualTo("m:1");
    }

    private void assertNotPassed() {
        locks.end("s:1", "a");
        assertThat(locks.holder("a")).isEqualTo("none");
        assertThat(locks.holder("b")).isEqualTo("none");
    }

    @Test
    void firstWaiterOfEveryQueueIsGranted() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        locks.acquire(polls("m:1"), "a", "b");
        locks.acquire(polls("s:2"), "b");
        locks.expire("b");
        assertPassed();
    }

    @Test
    void waiterForOneLockIsNeverPassed() {
        queueBeforeInB(polls("s:2"), "b");
        assertNotPassed();
        // the next acquire hands b over
        locks.acquire(polls("m:1"), "a", "b");
        assertThat(locks.holder("b")).isEqualTo("s:2");
        locks.end("s:2", "b");
        assertThat(locks.holder("a")).isEqualTo("m:1");
    }

    @Test
    void subscribedWaiterIsNotPassed() {
        queueBeforeInB(waits("s:2"), "b");
        try (Inbox inbox = locks.subscribe("s:2")) {
            assertNotPassed();
            assertThat(inbox.messages()).isEmpty();
        }
    }

    @Test
    void deafWaiterIsPassed() {
        queueBeforeInB(waits("s:2"), "b");
        assertPassed();
        assertThat(locks.waiters("b")).containsExactly("s:2");
    }

    @Test
    void lateWaiterIsPassed() {
        queueBeforeInB(polls("s:2").patience(1), "b");
        assertPassed();
    }

    @Test
    void silentWaiterIsPassed() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        locks.acquire(polls("z:2"), "b");
        locks.acquire(1, 0, waits("s:2"), "b");
        locks.end("z:2", "b");
        // subscribed, because a deaf waiter is passed anyway
        try (Inbox inbox = locks.subscribe("s:2")) {
            locks.silence("s:2", "b");
            locks.acquire(polls("m:1"), "a", "b");
            locks.expire("b");
            assertPassed();
            assertThat(inbox.messages()).isEmpty();
        }
    }

    @Test
    void waiterWithAnUnreadableRecordOrAnUnknownProcessIsPassed() {
        queueBeforeInB(polls("s:2"), "b");
        redis.command("ZADD", queue("b"), "1", polls("t:2").record(), "2", "no record", "3", "3 x t:9 1 1 1 o l");
        redis.command("HDEL", waiting("b"), "s:");
        assertPassed();
    }

    @Test
    void waiterForSeveralLocksIsPassedWithinItsPatience() {
        locks.acquire(waits("s:3"), "c");
        queueBeforeInB(polls("n:1"), "b", "c");
        assertPassed();
        assertThat(locks.waiters("b")).containsExactly("n:1");
        assertThat(locks.waiters("c")).containsExactly("n:1");
    }

    @Test
    void waiterForSeveralLocksIsNotPassedAfterItsPatience() {
        locks.acquire(waits("s:3"), "c");
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        locks.acquireImpatient(polls("n:1"), "b", "c");
        locks.acquire(polls("m:1"), "a", "b");
        locks.expire("b");
        assertNotPassed();
        locks.end("s:3", "c");
        assertThat(locks.holder("b")).isEqualTo("n:1");
        assertThat(locks.holder("c")).isEqualTo("n:1");
        locks.end("n:1", "b", "c");
        assertThat(locks.holder("a")).isEqualTo("m:1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waiterForSeveralLocksInTheSameQueueIsPassedOnlyWithinItsPatience(boolean patient) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("s:3"), "c");
        locks.acquire(patient ? SeveralLocks.PATIENT : 0, polls("n:1"), "a", "c");
        locks.acquire(polls("m:1"), "a", "b");
        locks.end("s:1", "a");
        assertThat(locks.holder("a")).isEqualTo(patient ? "m:1" : "none");
        assertThat(locks.holder("b")).isEqualTo(patient ? "m:1" : "none");
    }

    @ParameterizedTest
    @CsvSource({"a, true", "a, false", "b, true", "b, false"})
    void tryIsBusyIfALockIsKeptForAnotherWaiter(String kept, boolean patient) {
        locks.acquire(waits("s:3"), "c");
        locks.acquire(patient ? SeveralLocks.PATIENT : 0, polls("n:1"), kept, "c");
        assertThat(locks.acquire(tries("m:1"), "a", "b").answer()).startsWith(patient ? "granted" : "busy");
        assertThat(locks.holder("a")).isEqualTo(patient ? "m:1" : "none");
        assertThat(locks.holder("b")).isEqualTo(patient ? "m:1" : "none");
    }

    @Test
    void tryIsGrantedALockWithALongQueueOfDeafWaiters() {
        locks.acquire(waits("s:1"), "a");
        List<String> queued = new ArrayList<>(List.of("ZADD", queue("a")));
        locks.acquire(waits("deaf:0"), "a");
        IntStream.range(1, 1_100)
                .forEach(i -> queued.addAll(List.of(
                        "" + (9_000_000_000_000_000L + i), waits("deaf:" + i).record())));
        redis.command(queued.toArray(String[]::new));
        locks.expire("a");
        assertThat(locks.acquire(tries("m:1"), "a", "b").answer()).startsWith("granted");
    }

    @Test
    void waiterThatAsksInItsLastMomentIsNotLate() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("s:2").patience(0), "a");
        locks.expire("a");
        assertThat(locks.acquire(waits("s:2").patience(0), "a").answer()).startsWith("granted");
    }

    @Test
    void waiterMissingInOneQueueIsGrantedOnlyByItsOwnAcquire() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(polls("m:1"), "a", "b");
        redis.command("DEL", queue("b"), waiting("b"));
        assertNotPassed();
        assertThat(locks.acquire(polls("m:1"), "a", "b").answer()).startsWith("granted");
    }

    @Test
    void waiterMissingAmongOtherWaitersIsNotGranted() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        locks.acquire(polls("m:1"), "a", "b");
        locks.acquire(waits("deaf:1"), "b");
        redis.command("ZREM", queue("b"), locks.record("b", "m:1"));
        locks.expire("b");
        assertNotPassed();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 130})
    void longQueueIsReadUpToThePlaceOfTheWaiter(int before) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        queueWithoutProcesses(before);
        locks.acquire(polls("m:1"), "a", "b");
        locks.expire("b");
        assertPassed();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 130})
    void waiterInTheMiddleOfALongQueueIsNotPassed(int before) {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        queueWithoutProcesses(before);
        locks.acquire(polls("s:2"), "b");
        locks.acquire(polls("m:1"), "a", "b");
        locks.expire("b");
        assertNotPassed();
    }

    @Test
    void placeBeyondTheLimitOfAHandOverIsNotReached() {
        locks.acquire(waits("s:1"), "a");
        locks.acquire(waits("z:1"), "b");
        queueWithoutProcesses(1_100);
        locks.acquire(polls("m:1"), "a", "b");
        locks.expire("b");
        assertNotPassed();
    }

    /** Queues waiters in b whose processes are unknown. */
    private void queueWithoutProcesses(int number) {
        List<String> command = new ArrayList<>(List.of("ZADD", queue("b")));
        IntStream.range(0, number)
                .forEach(i ->
                        command.addAll(List.of("" + (i + 1), waits("gone:" + i).record())));
        redis.command(command.toArray(String[]::new));
    }
}
