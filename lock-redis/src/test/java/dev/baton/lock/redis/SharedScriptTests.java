package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.ReaderRow.READER;
import static dev.baton.lock.redis.ReaderRow.READERS;
import static dev.baton.lock.redis.ReaderRow.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests what readers write and read, without a queue: runs, leases, ends, renewals, inspections. */
@Tag("scripts")
class SharedScriptTests {

    private static final EndResult HOLDER = new EndResult("holder", 0);
    private static final EndResult NOTHING = new EndResult("nothing", 0);

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ReaderRow readers = new ReaderRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void firstReaderBeginsARun() {
        long before = row.time();
        String token = row.acquire(reads("a:1").lease(7_000)).token();
        assertThat(row.lock())
                .containsEntry("version", "2")
                .containsEntry("mode", "s")
                .containsEntry("id", "")
                .containsEntry("token", token)
                .containsEntry("owner", "")
                .containsEntry("label", "");
        assertThat(Long.parseLong(row.lock().get("since"))).isBetween(before, row.time());
        assertThat(readers.ids()).containsExactly("a:1");
        assertThat(String.valueOf(redis.command("HGET", READER, "a:1")))
                .startsWith(token + " " + row.lock().get("since") + " owner-a:1 label");
        assertThat(List.of(redis.ttl(LOCK), redis.ttl(READERS), redis.ttl(READER)))
                .allSatisfy(left -> assertThat(left).isBetween(6_000L, 7_001L));
        assertThat(Long.parseLong(String.valueOf(redis.command("ZSCORE", READERS, "a:1"))))
                .isBetween(before / 1_000 + 7_000, row.time() / 1_000 + 7_001);
        assertThat(row.fence()).isEqualTo(token);
    }

    /** No process asks for this. If one did, the other readers must not lose the lock. */
    @Test
    void exchangeByAReaderLeavesTheRunAlone() {
        row.acquire(reads("a:1"));
        row.acquire(reads("b:1"));
        assertThat(row.exchange("a:1", waits("a:2")).what()).isEqualTo("nothing");
        assertThat(readers.ids()).containsExactlyInAnyOrder("a:1", "b:1");
        assertThat(row.exchange("c:1", waits("b:1")).answer()).isEqualTo("busy");
    }

    @Test
    void readersOfARunHaveItsTokenAndNumbersOfTheirOwn() {
        AcquireResult first = row.acquire(reads("a:1"));
        AcquireResult second = row.acquire(reads("b:1"));
        assertThat(second.answer()).isEqualTo("granted " + first.token() + " 0");
        assertThat(Long.parseLong(second.mark())).isGreaterThan(Long.parseLong(first.mark()));
        assertThat(second.mark()).isEqualTo(row.fence());
        assertThat(readers.ids()).containsExactlyInAnyOrder("a:1", "b:1");
        assertThat(row.lock()).containsEntry("token", first.token());
    }

    @Test
    void allReadersOfACommandShareOneNumber() {
        AcquireResult all = row.acquire(reads("a:1"), reads("a:2"), reads("a:3"));
        assertThat(all.answers()).containsOnly("granted " + all.token() + " 0").hasSize(3);
        assertThat(row.fence()).isEqualTo(all.token());
        assertThat(row.keys()).containsExactlyInAnyOrder(FENCE, LOCK, READERS, READER);
    }

    @Test
    void laterRunAndWriterHaveGreaterTokens() {
        long first = Long.parseLong(row.acquire(reads("a:1")).token());
        row.acquire(reads("b:1"));
        row.end("a:1");
        row.end("b:1");
        assertThat(row.keys()).containsExactly(FENCE);
        long writer = Long.parseLong(row.acquire(tries("c:1")).token());
        row.end("c:1");
        long second = Long.parseLong(row.acquire(reads("a:2")).token());
        assertThat(List.of(first, writer, second)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void writerTryIsRefusedByReadersAndReaderByWriter() {
        row.acquire(reads("a:1"));
        assertThat(row.acquire(tries("b:1")).answer()).isEqualTo("busy");
        row.end("a:1");
        row.acquire(tries("b:2"));
        assertThat(row.acquire(tries("c:1").shared()).answer()).isEqualTo("busy");
        assertThat(row.holder()).isEqualTo("b:2");
    }

    @Test
    void onlyTheLastReaderFreesTheLock() {
        row.acquire(reads("a:1"));
        row.acquire(reads("b:1"));
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(readers.ids()).containsExactly("b:1");
        assertThat(redis.command("HKEYS", READER)).isEqualTo(List.of("b:1"));
        assertThat(row.acquire(tries("c:1")).answer()).isEqualTo("busy");
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(row.end("b:1")).isEqualTo(HOLDER);
        assertThat(row.keys()).containsExactly(FENCE);
    }

    @Test
    void lockExpiresWithItsLastReader() {
        row.acquire(reads("a:1").lease(20_000));
        row.acquire(reads("b:1").lease(60_000));
        assertThat(List.of(redis.ttl(LOCK), redis.ttl(READERS), redis.ttl(READER)))
                .as("a later end raises the expiry")
                .allSatisfy(left -> assertThat(left).isBetween(50_000L, 60_001L));
        row.acquire(reads("c:1").lease(1_000));
        assertThat(redis.ttl(LOCK)).as("an earlier end does not lower it").isGreaterThan(50_000L);
        row.end("b:1");
        assertThat(List.of(redis.ttl(LOCK), redis.ttl(READERS), redis.ttl(READER)))
                .as("the end of the last lowers it")
                .allSatisfy(left -> assertThat(left).isBetween(15_000L, 20_001L));
    }

    @Test
    void repeatedAcquireProlongsAndNeverShortens() {
        String token = row.acquire(reads("a:1").lease(20_000)).token();
        row.acquire(reads("b:1").lease(10_000));
        AcquireResult again = row.acquire(reads("a:1").lease(50_000));
        assertThat(again.answer()).isEqualTo("granted " + token + " 1");
        assertThat(again.mark()).isEqualTo(row.fence());
        assertThat(redis.ttl(LOCK)).isGreaterThan(40_000L);
        row.acquire(reads("a:1").lease(1_000));
        assertThat(redis.ttl(LOCK)).isGreaterThan(40_000L);
    }

    @Test
    void readerWhoseLeaseHasEndedIsNoHolder() {
        row.acquire(reads("a:1").lease(5));
        row.acquire(reads("b:1"));
        row.awaitTime(row.time() + 7_000);
        assertThat(row.renew("a:1", 1_000)).isEqualTo(0L);
        assertThat(row.renew("b:1", 0)).isEqualTo(1L);
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(readers.ids()).as("it was removed").containsExactly("b:1");
        assertThat(redis.command("HKEYS", READER)).isEqualTo(List.of("b:1"));
        assertThat(row.acquire(reads("a:1")).answer()).startsWith("granted ").endsWith(" 0");
    }

    @Test
    void lockWithoutReadersIsFree() {
        row.acquire(reads("a:1"));
        redis.command("DEL", READERS);
        assertThat(row.acquire(tries("b:1")).answer()).startsWith("granted");
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void newRunRemovesReadersOfAnEarlierOne() {
        row.acquire(reads("a:1"));
        redis.command("DEL", LOCK);
        row.acquire(reads("b:1"));
        assertThat(readers.ids()).containsExactly("b:1");
        assertThat(redis.command("HKEYS", READER)).isEqualTo(List.of("b:1"));
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(row.renew("a:1", 0)).isEqualTo(0L);
    }

    @Test
    void writerLeavesAloneWhatReadersLeftBehind() {
        row.acquire(reads("a:1"));
        redis.command("DEL", LOCK);
        redis.resetStats();
        assertThat(row.acquire(tries("b:1")).answer()).startsWith("granted");
        assertThat(redis.commandStats()).doesNotContainKeys("zrange", "zrem", "del", "hdel");
        assertThat(row.renew("a:1", 0)).isEqualTo(0L);
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(row.holder()).isEqualTo("b:1");
    }

    @Test
    void renewalProlongsAndNeverShortensAndActsOnReadersOnly() {
        row.acquire(reads("a:1").lease(20_000));
        row.acquire(reads("b:1").lease(10_000));
        assertThat(row.renew("b:1", 50_000)).isEqualTo(1L);
        assertThat(List.of(redis.ttl(LOCK), redis.ttl(READERS), redis.ttl(READER)))
                .allSatisfy(left -> assertThat(left).isGreaterThan(40_000L));
        assertThat(row.renew("b:1", 1_000)).isEqualTo(1L);
        assertThat(redis.ttl(LOCK)).isGreaterThan(40_000L);
        assertThat(row.renew("c:1", 50_000)).isEqualTo(0L);
        assertThat(readers.ids()).containsExactly("a:1", "b:1");
    }

    @Test
    void holderOfSharedLockIsItsLastReader() {
        String token = row.acquire(reads("a:1").lease(50_000)).token();
        row.acquire(reads("b:1").lease(5_000));
        List<?> holder = row.acquire(tries("c:1")).holder();
        assertThat(holder.subList(0, 4))
                .isEqualTo(List.of("a:1", token, "owner-a:1", reads("a:1").label()));
        assertThat((Long) holder.get(5)).isBetween(40_000L, 50_001L);
        redis.command("DEL", READER);
        assertThat(row.acquire(tries("c:1")).holder().subList(0, 4)).isEqualTo(List.of("a:1", token, "", ""));
    }

    @Test
    void inspectionNamesAllReaders() {
        String token = row.acquire(reads("a:1").lease(50_000)).token();
        row.acquire(reads("b:1").lease(5_000));
        List<List<?>> all = readers.inspect();
        assertThat(all.get(0).subList(0, 3))
                .isEqualTo(List.of("b:1", token, reads("b:1").label()));
        assertThat(all.get(1).subList(0, 3))
                .isEqualTo(List.of("a:1", token, reads("a:1").label()));
        assertThat((Long) all.get(0).get(3)).isBetween(4_000L, 5_001L);
        redis.command("HDEL", READER, "b:1");
        assertThat(readers.inspect()).hasSize(1);
        row.end("a:1");
        row.end("b:1");
        row.acquire(tries("c:1"));
        assertThat(readers.inspect()).isEmpty();
    }

    @Test
    void forceReleaseNotifiesEveryReaderWithTheHighestToken() {
        row.acquire(reads("a:1"));
        row.acquire(reads("b:1"));
        try (Inbox a = row.subscribe("a:1");
                Inbox b = row.subscribe("b:1")) {
            List<?> reply = row.forceRelease();
            assertThat(reply.get(0)).isEqualTo("taken");
            assertThat(((List<?>) reply.get(1)).get(0)).isIn("a:1", "b:1");
            String highest = row.fence();
            assertThat(a.messages()).containsExactly("revoke 1 a:1 " + highest + " " + LOCK);
            assertThat(b.messages()).containsExactly("revoke 1 b:1 " + highest + " " + LOCK);
        }
        assertThat(row.keys()).containsExactly(FENCE);
        assertThat(row.renew("a:1", 0)).isEqualTo(0L);
    }

    @Test
    void forceReleaseOfReadersHandsOver() {
        row.acquire(reads("a:1"));
        try (Inbox b = row.subscribe("b:1")) {
            row.acquire(waits("b:1"));
            assertThat(row.forceRelease().get(0)).isEqualTo("taken");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }

    /** Such as after a loss of some of the keys. */
    @Test
    void forceReleaseWithoutAFenceTellsTheTokenOfTheRun() {
        String token = row.acquire(reads("a:1")).token();
        redis.command("DEL", FENCE);
        try (Inbox a = row.subscribe("a:1")) {
            assertThat(row.forceRelease().get(0)).isEqualTo("taken");
            assertThat(a.messages()).containsExactly("revoke 1 a:1 " + token + " " + LOCK);
        }
    }

    @Test
    void readerThatIsKeptKeepsWritersOut() {
        String token = row.acquire(reads("a:1")).token();
        row.acquire(reads("b:1").lease(2_000));
        assertThat(row.end("a:1", 0, 30_000)).isEqualTo(HOLDER);
        assertThat(readers.ids()).containsExactly("b:1", "-a:1");
        assertThat(redis.ttl(LOCK)).isBetween(25_000L, 30_001L);
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(row.end("b:1", 0, 30_000)).isEqualTo(HOLDER);
        assertThat(redis.ttl(LOCK)).isBetween(25_000L, 30_001L);
        assertThat(String.valueOf(redis.command("ZSCORE", READERS, "-b:1")))
                .as("at most the rest of the lease")
                .isLessThan(String.valueOf(redis.command("ZSCORE", READERS, "-a:1")));
        assertThat(row.acquire(tries("c:1")).answer()).isEqualTo("busy");
        assertThat(row.acquire(reads("c:2")).answer()).isEqualTo("granted " + token + " 0");
        assertThat(readers.inspect())
                .extracting(reader -> String.valueOf(reader.get(2)))
                .contains(reads("a:1").label());
    }

    @Test
    void readerIsKeptWithoutWhatItShowsToPeople() {
        row.acquire(reads("a:1"));
        redis.command("DEL", READER);
        assertThat(row.end("a:1", 0, 30_000)).isEqualTo(HOLDER);
        assertThat(readers.ids()).containsExactly("-a:1");
    }

    @Test
    void endedReaderIsRefused() {
        row.end("a:1", 30_000);
        assertThat(row.acquire(reads("a:1")).answer()).isEqualTo("over");
        assertThat(row.acquire(reads("b:1")).answer()).startsWith("granted");
    }
}
