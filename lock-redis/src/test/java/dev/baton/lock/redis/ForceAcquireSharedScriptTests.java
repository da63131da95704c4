package dev.baton.lock.redis;

import static dev.baton.lock.redis.ForceRow.force;
import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.ReaderRow.READER;
import static dev.baton.lock.redis.ReaderRow.READERS;
import static dev.baton.lock.redis.ReaderRow.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.ForceRow.Forced;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests force_acquire.lua for locks that readers share, and for requests that share a lock. */
@Tag("scripts")
class ForceAcquireSharedScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ReaderRow readers = new ReaderRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void allReadersLoseTheLock() {
        String run = row.acquire(reads("b:1").lease(50_000)).token();
        row.acquire(reads("c:1").lease(90_000));
        String highest = row.fence();
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            Forced forced = force(row, tries("a:1"));
            assertThat(forced.taken()).hasSize(1);
            assertThat(forced.taken().get(0).subList(0, 2))
                    .as("the reader whose lease ends last")
                    .isEqualTo(List.of("c:1", run));
            assertThat(Long.parseLong(forced.token())).isGreaterThan(Long.parseLong(highest));
            assertThat(b.messages()).containsExactly("revoke 1 b:1 " + highest + " " + LOCK);
            assertThat(c.messages()).containsExactly("revoke 1 c:1 " + highest + " " + LOCK);
        }
        assertThat(row.lock()).containsEntry("mode", "x").containsEntry("id", "a:1");
        assertThat(row.keys()).as("no reader is left").containsExactly(FENCE, LOCK);
        assertThat(row.renew("b:1", 90_000)).isEqualTo(0L);
        assertThat(row.end("c:1")).isEqualTo(new EndResult("nothing", 0));
        assertThat(row.holder()).isEqualTo("a:1");
    }

    @Test
    void readersOfAStoreWithoutTokensAreToldTheTokenOfTheirRun() {
        String run = row.acquire(reads("b:1")).token();
        redis.command("DEL", FENCE);
        try (Inbox b = row.subscribe("b:1")) {
            force(row, tries("a:1"));
            assertThat(b.messages()).containsExactly("revoke 1 b:1 " + run + " " + LOCK);
        }
    }

    @Test
    void readerBeginsARunOfItsOwn() {
        String run = row.acquire(reads("b:1")).token();
        try (Inbox b = row.subscribe("b:1")) {
            Forced forced = force(row, reads("a:1").lease(7_000));
            assertThat(Long.parseLong(forced.token())).isGreaterThan(Long.parseLong(run));
            assertThat(forced.losers()).containsExactly("b:1");
            assertThat(b.messages()).containsExactly("revoke 1 b:1 " + run + " " + LOCK);
            assertThat(row.lock()).containsEntry("mode", "s").containsEntry("token", forced.token());
        }
        assertThat(readers.ids()).containsExactly("a:1");
        assertThat(redis.ttl(LOCK)).isBetween(6_000L, 7_001L);
        assertThat(row.acquire(reads("b:2")).answer()).startsWith("granted");
        assertThat(readers.ids()).containsExactlyInAnyOrder("a:1", "b:2");
    }

    @Test
    void readerTakesTheLockOfAWriterAndLetsReadersBeforeTheFirstWriterJoin() {
        row.acquire(waits("w:1"));
        row.acquire(reads("b:1"));
        row.acquire(waits("c:1"));
        row.acquire(reads("b:2"));
        try (Inbox b = row.subscribe("b:1");
                Inbox w = row.subscribe("w:1")) {
            Forced forced = force(row, reads("a:1"));
            assertThat(w.messages()).hasSize(1).first().asString().startsWith("revoke 1 w:1 ");
            assertThat(b.messages())
                    .containsExactly(
                            "grant 3 b:1 " + forced.token() + " " + row.fence() + " " + LOCK.length() + " " + LOCK);
            assertThat(forced.mark()).isEqualTo(row.fence());
        }
        assertThat(readers.ids()).containsExactlyInAnyOrder("a:1", "b:1");
        assertThat(row.queue()).containsExactly("c:1", "b:2");
    }

    @Test
    void repeatOfAReaderIsTheSameGrant() {
        String token = force(row, reads("a:1").lease(5_000)).token();
        row.acquire(reads("b:1").lease(1_000));
        Forced again = force(row, reads("a:1").lease(50_000));
        assertThat(again.token()).isEqualTo(token);
        assertThat(again.again()).isOne();
        assertThat(readers.ids()).as("no reader loses the lock").containsExactly("b:1", "a:1");
        assertThat(redis.ttl(READERS)).isBetween(40_000L, 50_001L);
        force(row, reads("a:1").lease(1_000));
        assertThat(redis.ttl(READERS)).as("it is never shortened").isGreaterThan(40_000L);
    }

    @Test
    void runOfTheExpectedTokenLosesTheLock() {
        String run = row.acquire(reads("b:1")).token();
        row.acquire(reads("c:1"));
        row.acquire(waits("a:1"));
        assertThat(force(row, waits("a:1"), "17").what()).isEqualTo("busy");
        assertThat(readers.ids()).hasSize(2);
        assertThat(force(row, waits("a:1"), run).what()).isEqualTo("granted");
        assertThat(row.holder()).isEqualTo("a:1");
        assertThat(redis.command("EXISTS", READERS, READER)).isEqualTo(0L);
    }

    @Test
    void readersThatAreGoneAreNotNotified() {
        row.acquire(reads("b:1").lease(5));
        row.acquire(reads("c:1"));
        row.awaitTime(row.time() + 6_000);
        try (Inbox b = row.subscribe("b:1")) {
            force(row, tries("a:1"));
            assertThat(b.messages()).isEmpty();
        }
    }
}
