package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.PermitRow.takes;
import static dev.baton.lock.redis.ReaderRow.READERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests to which waiters free permits are handed. */
@Tag("scripts")
class PermitHandOverTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ReaderRow readers = new ReaderRow(redis, row);
    private final PermitRow permits = new PermitRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void oneReleaseGrantsAllThatFitInTheirOrder() {
        row.acquire(takes("a:1", 3, 3));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.acquire(takes("b:1", 1, 3));
            row.acquire(takes("c:1", 2, 3));
            row.acquire(takes("b:2", 1, 3));
            assertThat(row.end("a:1")).isEqualTo(new EndResult("holder", 0));
            assertThat(row.handedTo()).asString().isEqualTo("[b:1, c:1]");
            assertThat(row.grantedToken()).isEqualTo("");
            String first = b.messages().get(0);
            assertThat(first).matches("grant 1 b:1 \\d+ " + Pattern.quote(LOCK));
            assertThat(c.messages()).containsExactly("grant 1 c:1 " + row.fence() + " " + LOCK);
            assertThat(Long.parseLong(row.fence())).isGreaterThan(Long.parseLong(first.split(" ")[3]));
        }
        assertThat(readers.ids()).containsExactlyInAnyOrder("b:1", "c:1");
        assertThat(permits.used()).isEqualTo("3");
        assertThat(row.queue()).containsExactly("b:2");
    }

    @Test
    void newcomerDoesNotPassARequestThatDoesNotFit() {
        row.acquire(takes("a:1", 2, 4));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(takes("b:1", 3, 4));
            assertThat(row.acquire(takes("c:1", 2, 4)).answer()).isEqualTo("busy 4");
            assertThat(row.acquire(tries("c:2").permits(2, 4, 0)).answer()).isEqualTo("busy 4");
            assertThat(row.queue()).containsExactly("b:1", "c:1");
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(readers.ids()).containsExactly("b:1");
    }

    @Test
    void othersPassARequestUntilItsPatienceIsOver() {
        row.acquire(takes("a:1", 2, 4));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(waits("b:1").permits(3, 4, 60_000));
            assertThat(row.acquire(tries("c:1").permits(1, 4, 0)).answer()).startsWith("granted");
            assertThat(row.acquire(takes("c:2", 1, 4)).answer()).startsWith("granted");
            row.end("c:1");
            row.end("c:2");
            row.end("b:1");
            row.acquire(waits("b:2").permits(3, 4, 5));
            row.awaitTime(row.time() + 7_000);
            assertThat(row.acquire(tries("c:3").permits(1, 4, 0)).answer()).isEqualTo("busy 4");
        }
    }

    @Test
    void requestWithoutPatienceIsNotPassedEvenIfItsArrivalIsAheadOfTheClock() {
        row.acquire(takes("a:1", 2, 4));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(takes("b:1", 3, 4));
            redis.command("ZADD", QUEUE, "" + (row.time() + 10_000_000), row.recordOf("b:1"));
            assertThat(row.acquire(tries("c:1").permits(1, 4, 0)).answer()).isEqualTo("busy 4");
            assertThat(b.messages()).isEmpty();
        }
    }

    @Test
    void requestForMoreThanTheSizeIsPassed() {
        row.acquire(takes("a:1", 3, 3));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.acquire(takes("b:1", 4, 9));
            row.acquire(takes("c:1", 3, 3));
            row.end("a:1");
            assertThat(row.handedTo()).asString().isEqualTo("[c:1]");
            row.end("c:1");
            assertThat(row.handedTo()).asString().isEqualTo("[]");
            assertThat(row.acquire(tries("c:2").permits(3, 3, 0)).answer()).startsWith("granted");
            row.end("c:2");
            assertThat(permits.resize(4, 60_000)).asString().isEqualTo("[4, 4]");
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
        }
    }

    @Test
    void sizeOfTheWaiterCountsIfNoneIsStated() {
        row.acquire(takes("a:1", 3, 3));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(takes("b:1", 2, 3));
            row.acquire(takes("b:2", 2, 3));
            redis.command("DEL", PermitRow.SIZES);
            row.end("a:1");
            assertThat(row.handedTo()).asString().isEqualTo("[b:1]");
            row.end("b:1");
            assertThat(row.handedTo()).asString().isEqualTo("[b:2]");
        }
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void requestsOfOneProcessAreServedByItsRecheck() {
        row.acquire(takes("a:1", 2, 2));
        row.acquire(takes("b:1", 1, 2), takes("b:2", 1, 2), takes("b:3", 1, 2));
        redis.command("ZADD", READERS, "1", "a:1");
        AcquireResult all = row.acquire(takes("b:1", 1, 2), takes("b:2", 1, 2), takes("b:3", 1, 2));
        assertThat(all.answers().get(0)).startsWith("granted");
        assertThat(all.answers().get(1)).startsWith("granted");
        assertThat(all.answers().get(2)).isEqualTo("busy 2");
        assertThat(row.queue()).containsExactly("b:3");
        assertThat(permits.used()).isEqualTo("2");
    }

    @Test
    void recheckOfOneProcessGrantsToAnother() {
        row.acquire(takes("a:1", 1, 2));
        row.acquire(takes("a:2", 1, 2));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(takes("b:1", 1, 2));
            redis.command("ZADD", READERS, "1", "a:2");
            assertThat(row.acquire(takes("c:1", 1, 2)).answer()).isEqualTo("busy 2");
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
        }
    }

    @Test
    void waiterThatCannotBeNotifiedIsPassed() {
        row.acquire(takes("a:1", 1, 1));
        row.acquire(takes("b:1", 1, 1));
        try (Inbox c = row.subscribe("c:1")) {
            row.acquire(takes("c:1", 1, 1));
            row.end("a:1");
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.queue()).containsExactly("b:1");
    }

    @Test
    void waiterThatAsksAgainIsGrantedWithoutAMessage() {
        row.acquire(takes("a:1", 1, 1));
        row.acquire(polls("b:1").permits(1, 1, 0));
        row.end("a:1");
        assertThat(readers.ids()).containsExactly("b:1");
        assertThat(row.acquire(takes("b:1", 1, 1)).answer()).endsWith(" 1");
    }

    @Test
    void waiterThatTriesIsGrantedOnce() {
        row.acquire(takes("a:1", 2, 3));
        row.acquire(takes("b:1", 2, 3));
        redis.command("ZADD", READERS, "1", "a:1");
        assertThat(row.acquire(tries("b:1").permits(2, 3, 0)).answer()).isEqualTo("granted " + row.fence() + " 0");
        assertThat(permits.used()).isEqualTo("2");
    }

    @Test
    void waiterThatLeavesLetsOthersIn() {
        row.acquire(takes("a:1", 1, 2));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.acquire(takes("b:1", 2, 2));
            row.acquire(takes("c:1", 1, 2));
            assertThat(c.messages()).isEmpty();
            assertThat(b.messages()).isEmpty();
            assertThat(row.end("b:1")).isEqualTo(new EndResult("waiter", 0));
            assertThat(c.messages()).hasSize(1);
        }
    }

    @Test
    void silentProcessIsPassedAndRemoved() {
        row.acquire(takes("a:1", 1, 1));
        try (Inbox c = row.subscribe("c:1")) {
            row.acquire(takes("b:1", 1, 1));
            row.silence("b:1");
            row.acquire(takes("c:1", 1, 1));
            row.end("a:1");
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.queue()).isEmpty();
    }

    @Test
    void tryThatIsFoundInTheQueueTakesItsPermitsOnce() {
        row.acquire(takes("b:1", 3, 3).lease(5));
        row.acquire(takes("a:1", 1, 3));
        row.awaitTime(row.time() + 6_000);
        AcquireResult result = row.acquire(tries("a:1").permits(1, 3, 0));
        assertThat(result.answer()).startsWith("granted ");
        assertThat(permits.used()).isEqualTo("1");
    }

    @Test
    void waiterWithoutPermitsIsLeftAlone() {
        redis.command("ZADD", QUEUE, "5", "2 p x:1 30000 -1 0 owner label");
        assertThat(row.acquire(takes("a:1", 1, 3)).answer()).startsWith("granted ");
        assertThat(row.acquire(takes("a:2", 1, 3)).answer()).startsWith("granted ");
        assertThat(permits.used()).isEqualTo("2");
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(1L);
    }

    @Test
    void waiterThatIsGrantedPermitsStatesItsSize() {
        row.acquire(takes("a:1", 4, 5));
        row.acquire(takes("b:1", 3, 5).lease(80_000));
        row.acquire(takes("c:1", 3, 8));
        redis.command("DEL", PermitRow.SIZES);
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
            assertThat(c.messages()).as("the smaller size counts again").isEmpty();
        }
        assertThat(permits.sizes()).containsOnlyKeys("5");
        assertThat(permits.sizes().get("5")).isBetween(79_000L, 80_001L);
    }

    @Test
    void sizeThatAGrantStatesCountsInTheSameStep() {
        row.acquire(takes("a:1", 4, 8));
        row.acquire(takes("b:1", 3, 5));
        row.acquire(takes("c:1", 3, 8));
        redis.command("ZREM", PermitRow.SIZES, "5");
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
            assertThat(c.messages()).as("8 is stated, and 5 again").isEmpty();
        }
        assertThat(permits.sizes()).containsOnlyKeys("5", "8");
    }

    @Test
    void waiterIsNotGrantedMoreThanTheSizeOfItsProcess() {
        row.acquire(takes("a:1", 4, 8));
        row.acquire(takes("a:2", 1, 8));
        row.acquire(takes("b:1", 3, 5));
        redis.command("ZREM", PermitRow.SIZES, "5");
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:2");
            assertThat(row.handedTo()).asString().isEqualTo("[]");
            assertThat(b.messages()).isEmpty();
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
    }

    @Test
    void requestForAllPermitsIsNotPassedIfNoSizeIsStated() {
        row.acquire(takes("a:1", 1, 3));
        row.acquire(takes("a:2", 1, 3));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            row.acquire(takes("b:1", 3, 3));
            row.acquire(takes("c:1", 1, 3));
            redis.command("DEL", PermitRow.SIZES);
            assertThat(row.end("a:2")).isEqualTo(new EndResult("holder", 0));
            assertThat(row.handedTo()).asString().isEqualTo("[]");
            assertThat(row.queue()).containsExactly("b:1", "c:1");
            assertThat(c.messages()).isEmpty();
        }
    }

    @Test
    void nothingIsGrantedWhileTheSizeIsExceeded() {
        row.acquire(takes("a:1", 1, 3));
        row.acquire(takes("a:2", 2, 3));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(takes("b:1", 1, 3));
            permits.resize(1, 60_000);
            row.end("a:1");
            assertThat(row.handedTo()).asString().isEqualTo("[]");
            assertThat(row.queue()).containsExactly("b:1");
            row.end("a:2");
            assertThat(row.handedTo()).asString().isEqualTo("[b:1]");
            assertThat(b.messages()).hasSize(1);
        }
    }

    @Test
    void searchEndsWhenAllPermitsAreGranted() {
        row.acquire(takes("a:1", 1, 1));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(takes("b:1", 1, 1));
            row.acquire(waits("c:1").permits(1, 1, 60_000).patience(1));
            row.awaitTime(row.time() + 3_000);
            row.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.queue()).as("not looked at").containsExactly("c:1");
    }

    @Test
    void resizeGrantsNothingIfAWaiterComesFirst() {
        row.acquire(takes("a:1", 2, 2));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(takes("b:1", 2, 2));
            row.acquire(takes("b:2", 1, 2));
            assertThat(permits.resize(3, 60_000)).asString().isEqualTo("[3, 2]");
            assertThat(b.messages()).isEmpty();
            assertThat(permits.resize(4, 60_000)).asString().isEqualTo("[4, 4]");
            assertThat(b.messages()).hasSize(1);
        }
    }
}
