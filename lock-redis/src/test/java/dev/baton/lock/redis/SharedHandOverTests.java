package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.ReaderRow.READER;
import static dev.baton.lock.redis.ReaderRow.READERS;
import static dev.baton.lock.redis.ReaderRow.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.ExchangeResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests to which waiters a lock is handed if some of them are readers. */
@Tag("scripts")
class SharedHandOverTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ReaderRow readers = new ReaderRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void readersAreGrantedTogetherUpToTheFirstWriter() {
        row.acquire(waits("a:1"));
        row.acquire(reads("b:1"));
        row.acquire(reads("c:1"));
        row.acquire(waits("b:2"));
        row.acquire(reads("b:3"));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            assertThat(row.end("a:1")).isEqualTo(new EndResult("holder", 0));
            String token = row.fence();
            assertThat(row.handedTo()).asString().isEqualTo("[b:1, c:1]");
            assertThat(row.grantedToken()).isEqualTo("");
            assertThat(b.messages()).containsExactly(grant("b:1", token, token));
            assertThat(c.messages()).containsExactly(grant("c:1", token, token));
            assertThat(row.lock()).containsEntry("mode", "s").containsEntry("token", token);
        }
        assertThat(readers.ids()).containsExactlyInAnyOrder("b:1", "c:1");
        assertThat(row.queue()).containsExactly("b:2", "b:3");
    }

    @Test
    void writerIsGrantedAfterTheLastReader() {
        row.acquire(reads("a:1"));
        row.acquire(reads("a:2"));
        row.acquire(waits("b:1").lease(7_000));
        row.acquire(reads("c:1"));
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:1");
            assertThat(row.handedTo()).asString().isEqualTo("[]");
            row.end("a:2");
            assertThat(b.messages()).containsExactly("grant 1 b:1 " + row.fence() + " " + LOCK);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(redis.ttl(LOCK)).isBetween(6_000L, 7_000L);
        assertThat(row.keys()).containsExactlyInAnyOrder(FENCE, LOCK, QUEUE);
        assertThat(row.queue()).containsExactly("c:1");
    }

    @Test
    void newcomerDoesNotPassAQueuedWriter() {
        row.acquire(reads("a:1"));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(waits("b:1"));
            assertThat(row.acquire(reads("c:1")).answer()).isEqualTo("busy");
            assertThat(row.acquire(tries("c:2").shared()).answer()).isEqualTo("busy");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.queue()).containsExactly("b:1", "c:1");
    }

    /** A reader waits for a process that is gone: its own recheck gets it the shared lock. */
    @Test
    void recheckHandsOverASharedLock() {
        String token = row.acquire(reads("a:1")).token();
        row.acquire(waits("b:1"));
        row.acquire(reads("c:1"));
        row.acquire(reads("d:1"));
        row.silence("b:1");
        try (Inbox d = row.subscribe("d:1")) {
            AcquireResult result = row.acquire(reads("c:1"));
            assertThat(result.answer()).isEqualTo("granted " + token + " 0");
            assertThat(d.messages()).containsExactly(grant("d:1", token, result.mark()));
            assertThat(Long.parseLong(result.mark())).isGreaterThan(Long.parseLong(token));
        }
        assertThat(redis.command("EXISTS", QUEUE)).isEqualTo(0L);
    }

    @Test
    void writerThatLeavesLetsReadersIn() {
        row.acquire(reads("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(reads("c:1"));
        try (Inbox c = row.subscribe("c:1")) {
            assertThat(row.end("b:1")).isEqualTo(new EndResult("waiter", 0));
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.handedTo()).asString().isEqualTo("[c:1]");
        assertThat(readers.ids()).containsExactlyInAnyOrder("a:1", "c:1");
    }

    @Test
    void writerThatCannotBeNotifiedKeepsReadersOut() {
        row.acquire(reads("a:1"));
        row.acquire(reads("a:2"));
        row.acquire(waits("b:1"));
        try (Inbox c = row.subscribe("c:1")) {
            assertThat(row.acquire(reads("c:1")).answer()).isEqualTo("busy");
            row.end("a:1");
            assertThat(c.messages()).isEmpty();
            assertThat(row.acquire(tries("d:1").shared()).answer()).isEqualTo("busy");
        }
        assertThat(readers.ids()).containsExactly("a:2");
    }

    @Test
    void onlyOneReaderPassesAWriterThatCannotBeNotified() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.acquire(reads("c:1"));
        row.acquire(reads("c:2"));
        try (Inbox c = row.subscribe("c:1")) {
            row.end("a:1");
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.handedTo()).asString().isEqualTo("[c:1]");
        assertThat(row.queue()).containsExactly("b:1", "c:2");
    }

    @Test
    void tryPassesAWriterThatCannotBeNotifiedOnAFreeLockOnly() {
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        row.expire();
        assertThat(row.acquire(tries("c:1").shared()).answer()).startsWith("granted");
        assertThat(row.acquire(tries("c:2").shared()).answer()).isEqualTo("busy");
    }

    @Test
    void readerThatCannotBeNotifiedIsPassedAndKeepsItsPlace() {
        row.acquire(waits("a:1"));
        row.acquire(reads("b:1"));
        row.acquire(reads("c:1"));
        row.acquire(polls("d:1").shared());
        try (Inbox c = row.subscribe("c:1")) {
            row.end("a:1");
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.handedTo()).asString().isEqualTo("[c:1, d:1]");
        assertThat(row.queue()).containsExactly("b:1");
        assertThat(row.acquire(reads("b:1")).answer()).startsWith("granted");
    }

    @Test
    void endOfTheLastLivingReaderHandsOver() {
        row.acquire(reads("a:1").lease(5));
        row.acquire(reads("a:2"));
        row.acquire(waits("b:1"));
        row.awaitTime(row.time() + 7_000);
        try (Inbox b = row.subscribe("b:1")) {
            row.end("a:2");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    /** The answer to an end names one grant, so readers of the same process are notified by messages. */
    @Test
    void readersOfTheReleasingProcessAreNotifiedByMessages() {
        row.acquire(waits("a:1"));
        row.acquire(reads("a:2"));
        row.acquire(reads("a:3"));
        try (Inbox a = row.subscribe("a:1")) {
            row.end("a:1");
            assertThat(row.grantedToken()).isEqualTo("");
            assertThat(a.messages()).hasSize(2);
        }
        assertThat(readers.ids()).containsExactlyInAnyOrder("a:2", "a:3");
    }

    @Test
    void writerOfTheReleasingReaderIsNotifiedByTheAnswer() {
        row.acquire(reads("a:1"));
        row.acquire(waits("a:2"));
        row.end("a:1");
        assertThat(row.grantedToken()).isEqualTo(row.fence());
        assertThat(row.holder()).isEqualTo("a:2");
    }

    @Test
    void exchangeHandsOverToReadersBeforeItsOwnRequest() {
        row.acquire(waits("a:1"));
        row.acquire(reads("b:1"));
        row.acquire(reads("c:1"));
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            ExchangeResult result = row.exchange("a:1", waits("a:2"));
            assertThat(result.what()).isEqualTo("holder");
            assertThat(result.answer()).isEqualTo("busy");
            assertThat(result.next()).asString().isEqualTo("[b:1, c:1]");
            assertThat(result.holder().get(0)).isIn("b:1", "c:1");
            assertThat(b.messages()).hasSize(1);
            assertThat(c.messages()).hasSize(1);
        }
        assertThat(row.queue()).containsExactly("a:2");
    }

    /** The old request was lost, so the exchange only queues the new one, and lets in readers behind the old one. */
    @Test
    void exchangeOfAWaiterLetsReadersIn() {
        row.acquire(reads("c:1"));
        row.acquire(waits("a:1"));
        row.acquire(reads("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            ExchangeResult result = row.exchange("a:1", waits("a:2"));
            assertThat(result.what()).isEqualTo("waiter");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.queue()).containsExactly("a:2");
        assertThat(readers.ids()).containsExactlyInAnyOrder("c:1", "b:1");
    }

    @Test
    void manyReadersAreGrantedInOneStep() {
        row.acquire(waits("a:1"));
        row.queue(300, i -> polls("b:" + i).shared());
        assertThat(row.end("a:1")).isEqualTo(new EndResult("holder", 0));
        assertThat(readers.ids()).hasSize(300);
        assertThat(redis.command("EXISTS", QUEUE)).isEqualTo(0L);
    }

    @Test
    void moreReadersThanOneCallLooksAtAreReported() {
        row.acquire(waits("a:1"));
        row.queue(1_100, i -> polls("b:" + i).shared());
        assertThat(row.end("a:1").more()).isEqualTo(1L);
        assertThat(row.end("a:1").more()).isEqualTo(0L);
        assertThat(readers.ids()).hasSize(1_100);
    }

    @Test
    void lateReaderLosesItsPlace() {
        row.acquire(waits("a:1"));
        row.acquire(reads("b:1").patience(1));
        row.acquire(polls("c:1").shared());
        row.awaitTime(row.time() + 3_000);
        row.end("a:1");
        assertThat(readers.ids()).containsExactly("c:1");
        assertThat(redis.command("HKEYS", READER)).isEqualTo(List.of("c:1"));
        assertThat(redis.ttl(READERS)).isPositive();
    }

    private static String grant(String id, String token, String number) {
        return "grant 3 " + id + " " + token + " " + number + " " + LOCK.length() + " " + LOCK;
    }
}
