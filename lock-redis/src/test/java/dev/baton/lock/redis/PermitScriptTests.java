package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.PermitRow.SIZES;
import static dev.baton.lock.redis.PermitRow.takes;
import static dev.baton.lock.redis.ReaderRow.READER;
import static dev.baton.lock.redis.ReaderRow.READERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests what requests for permits write and read, without a queue. */
@Tag("scripts")
class PermitScriptTests {

    private static final EndResult HOLDER = new EndResult("holder", 0);
    private static final EndResult NOTHING = new EndResult("nothing", 0);

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final ReaderRow readers = new ReaderRow(redis, row);
    private final PermitRow permits = new PermitRow(redis, row);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void grantWritesTheHolderItsPermitsAndTheSize() {
        long before = row.time();
        String token = row.acquire(takes("a:1", 2, 5).lease(70_000)).token();
        assertThat(row.lock())
                .containsEntry("version", "2")
                .containsEntry("mode", "p")
                .containsEntry("id", "")
                .containsEntry("token", token)
                .containsEntry("owner", "")
                .containsEntry("label", "");
        assertThat(String.valueOf(redis.command("HGET", READER, "a:1")))
                .startsWith(token + " " + row.lock().get("since") + " owner-a:1 ")
                .endsWith(" 2 5");
        assertThat(permits.used()).isEqualTo("2");
        assertThat(permits.sizes()).hasSize(1);
        assertThat(permits.sizes().get("5")).isBetween(69_000L, 70_001L);
        assertThat(List.of(redis.ttl(LOCK), redis.ttl(READERS), redis.ttl(READER), redis.ttl(SIZES)))
                .allSatisfy(left -> assertThat(left).isBetween(69_000L, 70_001L));
        assertThat(Long.parseLong(String.valueOf(redis.command("ZSCORE", READERS, "a:1"))))
                .isBetween(before / 1_000 + 70_000, row.time() / 1_000 + 70_001);
        assertThat(row.fence()).isEqualTo(token);
    }

    @Test
    void eachGrantHasATokenOfItsOwn() {
        AcquireResult all = row.acquire(takes("a:1", 1, 3), takes("a:2", 1, 3), takes("a:3", 2, 3));
        assertThat(all.answers()).hasSize(3);
        long first = Long.parseLong(all.token());
        long second = Long.parseLong(all.answers().get(1).split(" ")[1]);
        assertThat(second).isGreaterThan(first);
        assertThat(all.answers().get(1)).startsWith("granted ").endsWith(" 0");
        assertThat(all.answers().get(2)).isEqualTo("busy 3");
        assertThat(all.mark()).isEqualTo("" + second).isEqualTo(row.fence());
        assertThat(row.lock()).as("the first of the run").containsEntry("token", "" + first);
        assertThat(permits.used()).isEqualTo("2");
    }

    @Test
    void repeatedAcquireProlongsAndNeverShortensAndCountsOnce() {
        String token = row.acquire(takes("a:1", 2, 3).lease(20_000)).token();
        row.acquire(takes("b:1", 1, 3));
        AcquireResult again = row.acquire(takes("a:1", 2, 3).lease(90_000));
        assertThat(again.answer()).isEqualTo("granted " + token + " 1");
        assertThat(again.mark()).isEqualTo(row.fence());
        assertThat(redis.ttl(LOCK)).isGreaterThan(80_000L);
        row.acquire(takes("a:1", 2, 3).lease(1_000));
        assertThat(redis.ttl(LOCK)).isGreaterThan(80_000L);
        assertThat(permits.used()).isEqualTo("3");
        assertThat(permits.sizes().get("3")).isGreaterThan(80_000L);
    }

    @Test
    void releaseGivesBackWhatTheHolderHas() {
        row.acquire(takes("a:1", 3, 5).lease(90_000));
        row.acquire(takes("b:1", 2, 5));
        assertThat(row.acquire(tries("c:1").permits(1, 5, 0)).answer()).isEqualTo("busy 5");
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
        assertThat(permits.used()).isEqualTo("2");
        assertThat(readers.ids()).containsExactly("b:1");
        assertThat(redis.ttl(LOCK)).as("the end of the last").isBetween(55_000L, 60_001L);
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
        assertThat(permits.used()).isEqualTo("2");
        assertThat(row.acquire(tries("c:2").permits(3, 5, 0)).answer()).startsWith("granted");
        row.end("c:2");
        assertThat(row.end("b:1")).isEqualTo(HOLDER);
        assertThat(row.keys()).containsExactlyInAnyOrder(FENCE, SIZES);
    }

    @Test
    void endedLeasesGiveBackTheirPermits() {
        row.acquire(takes("a:1", 1, 4).lease(5));
        row.acquire(takes("a:2", 2, 4).lease(5));
        row.acquire(takes("b:1", 1, 4));
        row.awaitTime(row.time() + 7_000);
        assertThat(row.renew("a:1", 1_000)).isEqualTo(0L);
        assertThat(row.renew("b:1", 0)).isEqualTo(1L);
        assertThat(row.acquire(tries("c:1").permits(3, 4, 0)).answer()).startsWith("granted");
        assertThat(permits.used()).isEqualTo("4");
        assertThat(readers.ids()).containsExactlyInAnyOrder("b:1", "c:1");
        assertThat(redis.command("HLEN", READER)).isEqualTo(3L);
        assertThat(row.end("a:1")).isEqualTo(NOTHING);
    }

    @Test
    void nextRunBeginsWithNoPermitsInUse() {
        row.acquire(takes("a:1", 2, 2));
        redis.command("DEL", LOCK);
        assertThat(permits.inspect()).asString().isEqualTo("[2, 0]");
        assertThat(permits.resize(2, 60_000)).asString().isEqualTo("[2, 0]");
        assertThat(row.acquire(takes("b:1", 2, 2)).answer()).startsWith("granted");
        assertThat(permits.used()).isEqualTo("2");
        assertThat(readers.ids()).containsExactly("b:1");
    }

    @Test
    void busyAnswerNamesTheHolderWhoseLeaseEndsFirst() {
        row.acquire(takes("a:1", 1, 2).lease(90_000));
        String token = row.acquire(takes("b:1", 1, 2).lease(30_000)).token();
        List<?> holder = row.acquire(tries("c:1").permits(1, 2, 0)).holder();
        assertThat(holder.get(0)).isEqualTo("b:1");
        assertThat(holder.get(1)).isEqualTo(token);
        assertThat(holder.get(2)).isEqualTo("owner-b:1");
        assertThat((Long) holder.get(5)).isBetween(29_000L, 30_001L);
    }

    @Test
    void smallestStatedSizeCounts() {
        row.acquire(takes("a:1", 1, 5));
        row.acquire(takes("b:1", 1, 12));
        assertThat(permits.sizes()).containsOnlyKeys("5", "12");
        assertThat(permits.inspect()).asString().isEqualTo("[5, 2]");
        assertThat(row.acquire(takes("b:2", 4, 12)).answer()).isEqualTo("busy 5");
        assertThat(row.acquire(takes("c:1", 2, 3)).answer())
                .as("a smaller one counts at once")
                .isEqualTo("busy 3");
    }

    @Test
    void sizeIsForgottenWhenNoProcessStatesIt() {
        row.recheck(1).acquire(takes("a:1", 1, 2).lease(5));
        row.acquire(takes("b:1", 2, 9).lease(60_000));
        row.awaitTime(row.time() + 8_000);
        assertThat(row.acquire(takes("b:2", 7, 9)).answer()).startsWith("granted");
        assertThat(permits.sizes()).containsOnlyKeys("9");
        assertThat(redis.ttl(SIZES)).isGreaterThan(50_000L);
    }

    @Test
    void sizeIsStatedForThreeRechecksOrTheLease() {
        row.acquire(takes("a:1", 1, 2).lease(1_000));
        assertThat(permits.sizes().get("2")).isBetween(29_000L, 30_001L);
        row.acquire(takes("a:2", 1, 2).lease(50_000));
        assertThat(permits.sizes().get("2")).isBetween(49_000L, 50_001L);
        row.acquire(takes("a:1", 1, 2).lease(1_000));
        assertThat(permits.sizes().get("2")).as("never shorter").isGreaterThan(48_000L);
    }

    @Test
    void renewalStatesTheSizeOfItsHolder() {
        row.acquire(takes("a:1", 1, 5));
        row.acquire(takes("b:1", 1, 7));
        row.renew("a:1", 0);
        assertThat(permits.sizes().get("5")).as("only asked").isLessThan(61_000L);
        row.renew("a:1", 300_000);
        assertThat(permits.sizes().get("5")).isBetween(290_000L, 300_001L);
        assertThat(permits.sizes().get("7")).isLessThan(61_000L);
        assertThat(redis.ttl(SIZES)).isGreaterThan(290_000L);
        assertThat(redis.ttl(LOCK)).isGreaterThan(290_000L);
    }

    @Test
    void renewalOfAHolderThatIsNotShownStatesNothing() {
        row.acquire(takes("a:1", 1, 5));
        redis.command("HDEL", READER, "a:1");
        assertThat(row.renew("a:1", 300_000)).isEqualTo(1L);
        assertThat(permits.sizes().get("5")).isLessThan(61_000L);
    }

    @Test
    void lateAcquireOfAnEndedRequestStatesNothing() {
        row.end("a:1", 60_000);
        assertThat(row.acquire(takes("a:1", 1, 2)).answer()).isEqualTo("over");
        assertThat(permits.sizes()).isEmpty();
    }

    @Test
    void keptPermitsStayInUse() {
        row.acquire(takes("a:1", 2, 4));
        row.acquire(takes("b:1", 1, 4).lease(90_000));
        assertThat(row.end("a:1", 0, 5_000)).isEqualTo(HOLDER);
        assertThat(permits.used()).isEqualTo("3");
        assertThat(readers.ids()).containsExactly("-a:1", "b:1");
        assertThat(row.acquire(tries("c:1").permits(2, 4, 0)).answer()).isEqualTo("busy 4");
        redis.command("ZADD", READERS, "1", "-a:1");
        assertThat(row.acquire(tries("c:2").permits(3, 4, 0)).answer()).startsWith("granted");
        assertThat(permits.used()).isEqualTo("4");
    }

    @Test
    void overrideCountsBeforeWhatProcessesState() {
        row.acquire(takes("a:1", 1, 2));
        assertThat(permits.resize(12, 40_000)).asString().isEqualTo("[12, 1]");
        assertThat(permits.sizes()).containsOnlyKeys("2", "=12");
        assertThat(permits.sizes().get("=12")).isBetween(39_000L, 40_001L);
        row.acquire(takes("b:1", 4, 9));
        assertThat(permits.inspect()).asString().isEqualTo("[12, 5]");
        assertThat(permits.resize(1, 20_000)).asString().isEqualTo("[1, 5]");
        assertThat(permits.sizes()).containsOnlyKeys("2", "9", "=1");
        assertThat(row.acquire(tries("c:1").permits(1, 9, 0)).answer()).isEqualTo("busy 1");
        assertThat(permits.resize(7, 0)).asString().isEqualTo("[2, 5]");
        assertThat(permits.sizes()).containsOnlyKeys("2", "9");
    }

    @Test
    void overrideEnds() {
        row.acquire(takes("a:1", 1, 2));
        permits.resize(0, 5);
        assertThat(row.acquire(tries("c:1").permits(1, 2, 0)).answer()).isEqualTo("busy 0");
        row.awaitTime(row.time() + 7_000);
        assertThat(row.acquire(tries("c:1").permits(1, 2, 0)).answer()).startsWith("granted");
        assertThat(permits.sizes()).containsOnlyKeys("2");
    }

    @Test
    void overrideOfAFreeSemaphore() {
        assertThat(permits.resize(0, 0)).asString().isEqualTo("[, 0]");
        assertThat(permits.inspect()).asString().isEqualTo("[, 0]");
        assertThat(row.keys()).isEmpty();
        assertThat(permits.resize(3, 60_000)).asString().isEqualTo("[3, 0]");
        assertThat(redis.ttl(SIZES)).isBetween(59_000L, 60_001L);
        assertThat(permits.resize(3, 1_000)).asString().isEqualTo("[3, 0]");
        assertThat(permits.sizes().get("=3")).as("a later one replaces it").isLessThan(1_002L);
    }

    @Test
    void inspectionNamesTheHoldersAndTheirPermits() {
        String first = row.acquire(takes("a:1", 2, 5).lease(90_000)).token();
        String second = row.acquire(takes("b:1", 1, 5)).token();
        assertThat(permits.holders()).containsExactly("2 p b:1 " + second + " 1 5", "2 p a:1 " + first + " 2 5");
        assertThat(permits.inspect()).asString().isEqualTo("[5, 3]");
    }

    @Test
    void inspectionOfALockNamesNoPermits() {
        row.acquire(tries("a:1"));
        assertThat(permits.inspect()).asString().isEqualTo("[, 0]");
    }

    @Test
    void forceReleaseTakesAllPermits() {
        row.acquire(takes("a:1", 1, 3));
        row.acquire(takes("b:1", 2, 3));
        row.acquire(takes("c:1", 3, 3));
        try (Inbox a = row.subscribe("a:1");
                Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            String highest = row.fence();
            assertThat(row.forceRelease().get(0)).isEqualTo("taken");
            assertThat(a.messages()).containsExactly("revoke 1 a:1 " + highest + " " + LOCK);
            assertThat(b.messages()).containsExactly("revoke 1 b:1 " + highest + " " + LOCK);
            assertThat(c.messages()).containsExactly("grant 1 c:1 " + row.fence() + " " + LOCK);
        }
        assertThat(permits.used()).isEqualTo("3");
        assertThat(readers.ids()).containsExactly("c:1");
    }

    @Test
    void semaphoreInAModeOfALaterVersionIsBusy() {
        row.acquire(takes("a:1", 1, 3));
        redis.command("SET", LOCK, "2 y b:1 5 5 o l", "KEEPTTL");
        assertThat(row.acquire(tries("c:1").permits(1, 3, 0)).answer()).isEqualTo("busy 3");
        assertThat(permits.resize(9, 60_000)).asString().startsWith("[9, ");
        assertThat(row.lock()).contains(entry("mode", "y"));
    }

    @Test
    void readerDoesNotShareASemaphore() {
        row.acquire(takes("a:1", 1, 3));
        assertThat(row.acquire(tries("c:1").shared()).answer()).isEqualTo("busy");
        assertThat(row.acquire(tries("c:2")).answer()).isEqualTo("busy");
    }

    @Test
    void semaphoreWhoseHoldersAreNotShownIsDescribed() {
        row.acquire(takes("a:1", 1, 1));
        redis.command("DEL", READER);
        assertThat(row.acquire(tries("c:1").permits(1, 1, 0)).answer())
                .as("what is not counted is free")
                .startsWith("granted");
        redis.command("HDEL", READER, "a:1", "c:1");
        assertThat(row.acquire(tries("c:2").permits(1, 1, 0)).holder().get(0)).isIn("a:1", "c:1");
        assertThat(row.end("a:1")).isEqualTo(HOLDER);
    }
}
