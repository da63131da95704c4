package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.QUEUE;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.over;
import static dev.baton.lock.redis.ReaderRow.READERS;
import static dev.baton.lock.redis.ReaderRow.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.redis.ReaderRow.DowngradeResult;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests downgrade.lua. */
@Tag("scripts")
class DowngradeScriptTests {

    private static final DowngradeResult REFUSED = new DowngradeResult("", 0, List.of());

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ReaderRow readers = new ReaderRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void writerBecomesTheFirstReaderWithANewToken() {
        String before = row.acquire(waits("a:1")).token();
        DowngradeResult result = readers.downgrade("a:1", reads("a:2"));
        assertThat(Long.parseLong(result.token())).isGreaterThan(Long.parseLong(before));
        assertThat(result).isEqualTo(new DowngradeResult(row.fence(), 0, List.of()));
        assertThat(row.lock()).containsEntry("mode", "s").containsEntry("token", result.token());
        assertThat(readers.ids()).containsExactly("a:2");
        assertThat(row.end("a:1")).isEqualTo(new EndResult("nothing", 0));
        assertThat(row.end("a:2")).isEqualTo(new EndResult("holder", 0));
    }

    @Test
    void readersBeforeTheFirstWriterAreLetIn() {
        row.acquire(waits("a:1"));
        row.acquire(reads("b:1"));
        row.acquire(waits("c:1"));
        row.acquire(reads("b:2"));
        try (Inbox b = row.subscribe("b:1")) {
            DowngradeResult result = readers.downgrade("a:1", reads("a:2"));
            assertThat(result.next()).asString().isEqualTo("[b:1]");
            assertThat(b.messages())
                    .containsExactly(
                            "grant 3 b:1 " + result.token() + " " + row.fence() + " " + LOCK.length() + " " + LOCK);
        }
        assertThat(readers.ids()).containsExactlyInAnyOrder("a:2", "b:1");
        assertThat(row.queue()).containsExactly("c:1", "b:2");
    }

    @Test
    void moreReadersThanOneCallLooksAtAreReported() {
        row.acquire(waits("a:1"));
        row.queue(1_100, i -> polls("b:" + i).shared());
        assertThat(readers.downgrade("a:1", reads("a:2")).more()).isEqualTo(1L);
    }

    @Test
    void expiryIsNotShortened() {
        row.acquire(waits("a:1").lease(50_000));
        readers.downgrade("a:1", reads("a:2").lease(5_000));
        assertThat(redis.ttl(LOCK)).isBetween(40_000L, 50_001L);
        assertThat(redis.ttl(READERS)).isBetween(40_000L, 50_001L);
        row.end("a:2");
        row.acquire(waits("a:3").lease(5_000));
        readers.downgrade("a:3", reads("a:4").lease(50_000));
        assertThat(redis.ttl(LOCK)).isBetween(40_000L, 50_001L);
    }

    @Test
    void lateAcquireOfTheWriterIsRefused() {
        row.acquire(waits("a:1"));
        readers.downgrade("a:1", reads("a:2"));
        assertThat(redis.ttl(over("a:1"))).isBetween(50_000L, 60_000L);
        assertThat(row.acquire(waits("a:1")).answer()).isEqualTo("over");
        assertThat(redis.command("EXISTS", QUEUE)).isEqualTo(0L);
    }

    @Test
    void lateDowngradeToAnEndedReaderIsRefused() {
        row.acquire(waits("a:1"));
        row.end("a:2", 30_000);
        assertThat(readers.downgrade("a:1", reads("a:2"))).isEqualTo(REFUSED);
        assertThat(row.holder()).isEqualTo("a:1");
        assertThat(redis.command("EXISTS", over("a:1"))).isEqualTo(0L);
    }

    @Test
    void repeatedDowngradeIsAnsweredAsTheFirst() {
        row.acquire(waits("a:1").lease(5_000));
        String token = readers.downgrade("a:1", reads("a:2").lease(20_000)).token();
        row.acquire(reads("b:1").lease(1_000));
        assertThat(readers.downgrade("a:1", reads("a:2").lease(50_000)))
                .isEqualTo(new DowngradeResult(token, 0, List.of()));
        assertThat(redis.ttl(LOCK)).as("the lease begins again").isBetween(40_000L, 50_001L);
        assertThat(readers.downgrade("a:1", reads("a:2").lease(1_000)).token()).isEqualTo(token);
        assertThat(redis.ttl(LOCK)).as("it is never shortened").isGreaterThan(40_000L);
    }

    @Test
    void requestThatDoesNotHoldTheLockIsRefused() {
        assertThat(readers.downgrade("a:1", reads("a:2"))).isEqualTo(REFUSED);
        row.acquire(waits("b:1"));
        assertThat(readers.downgrade("a:1", reads("a:2"))).isEqualTo(REFUSED);
        assertThat(row.holder()).isEqualTo("b:1");
        row.end("b:1");
        row.acquire(reads("b:2"));
        assertThat(readers.downgrade("a:1", reads("a:2"))).isEqualTo(REFUSED);
        assertThat(readers.ids()).containsExactly("b:2");
    }
}
