package dev.baton.lock.redis;

import static dev.baton.lock.redis.ForceRow.force;
import static dev.baton.lock.redis.LockRow.FENCE;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.LockRow.over;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.harness.RedisErrorException;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.ForceRow.Forced;
import dev.baton.lock.redis.LockRow.EndResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests force_acquire.lua for requests that share no lock. */
@Tag("scripts")
class ForceAcquireScriptTests {

    private static final String A = "orders.1";
    private static final String B = "orders.2";

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);
    private final SeveralLocks locks = new SeveralLocks(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void freeLockIsGranted() {
        Forced forced = force(row, tries("a:1").lease(7_000));
        assertThat(forced).isEqualTo(new Forced("granted", row.fence(), 0, row.fence(), List.of(), List.of()));
        assertThat(row.lock()).containsEntry("id", "a:1").containsEntry("token", forced.token());
        assertThat(redis.ttl(LOCK)).isBetween(6_000L, 7_000L);
        assertThat(row.keys()).containsExactly(FENCE, LOCK);
    }

    @Test
    void holderIsNotifiedAndNamed() {
        String before = row.acquire(waits("b:x:1").reserve(50)).token();
        String fence = row.fence();
        try (Inbox b = row.subscribe("b:x:1");
                Inbox a = row.subscribe("a:1")) {
            Forced forced = force(row, tries("a:1"));
            assertThat(Long.parseLong(forced.token()))
                    .as("also greater than what was kept")
                    .isGreaterThan(Long.parseLong(fence));
            assertThat(forced.mark()).isEqualTo(forced.token()).isEqualTo(row.fence());
            assertThat(forced.holder()).isEmpty();
            assertThat(forced.losers()).containsExactly("b:x:1");
            assertThat(forced.taken().get(0).subList(1, 4))
                    .isEqualTo(List.of(
                            before, waits("b:x:1").owner(), waits("b:x:1").label()));
            assertThat(b.messages()).containsExactly("revoke 1 b:x:1 " + before + " " + LOCK);
            assertThat(a.messages()).isEmpty();
        }
        assertThat(row.holder()).isEqualTo("a:1");
    }

    @Test
    void waitersKeepTheirPlaces() {
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        row.acquire(waits("b:2"));
        double arrival = row.arrival("c:1");
        try (Inbox c = row.subscribe("c:1")) {
            force(row, tries("a:1"));
            assertThat(c.messages()).isEmpty();
            assertThat(row.queue()).containsExactly("c:1", "b:2");
            assertThat(row.arrival("c:1")).isEqualTo(arrival);
            row.end("a:1");
            assertThat(c.messages()).hasSize(1);
        }
    }

    @Test
    void lockThatIsFreeIsTakenBeforeItsWaiters() {
        row.acquire(waits("b:1"));
        row.acquire(waits("c:1"));
        row.expire();
        Forced forced = force(row, tries("a:1"));
        assertThat(forced.what()).isEqualTo("granted");
        assertThat(forced.taken()).isEmpty();
        assertThat(row.queue()).containsExactly("c:1");
    }

    @Test
    void requestThatWaitsLeavesItsQueue() {
        row.acquire(waits("b:1"));
        row.acquire(waits("a:1"));
        row.acquire(waits("c:1"));
        force(row, waits("a:1"));
        assertThat(row.queue()).containsExactly("c:1");
        assertThat(row.holder()).isEqualTo("a:1");
    }

    @Test
    void repeatIsTheSameGrant() {
        row.acquire(waits("b:1"));
        String token = force(row, tries("a:1").lease(5_000)).token();
        try (Inbox a = row.subscribe("a:1")) {
            assertThat(force(row, tries("a:1").lease(50_000)))
                    .isEqualTo(new Forced("granted", token, 1, token, List.of(), List.of()));
            assertThat(a.messages()).isEmpty();
        }
        assertThat(redis.ttl(LOCK)).as("the lease begins again").isBetween(40_000L, 50_000L);
        force(row, tries("a:1").lease(1_000));
        assertThat(redis.ttl(LOCK)).as("it is never shortened").isGreaterThan(40_000L);
    }

    @Test
    void requestThatHasEndedIsRefused() {
        String token = row.acquire(waits("b:1")).token();
        row.end("a:1", 30_000);
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(force(row, tries("a:1"))).isEqualTo(new Forced("over", "0", 0, token, List.of(), List.of()));
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(redis.ttl(over("a:1"))).isPositive();
    }

    @Test
    void refusalInAStoreWithoutTokensHasNoMark() {
        row.end("a:1", 30_000);
        assertThat(force(row, tries("a:1")).mark()).isEqualTo("0");
    }

    @Test
    void formerHolderCannotDisturb() {
        row.acquire(waits("b:1"));
        force(row, tries("a:1"));
        long left = redis.ttl(LOCK);
        assertThat(row.renew("b:1", 900_000)).isEqualTo(0L);
        assertThat(row.end("b:1")).isEqualTo(new EndResult("nothing", 0));
        assertThat(row.end("b:1", 1_000, 5_000)).isEqualTo(new EndResult("nothing", 0));
        assertThat(row.holder()).isEqualTo("a:1");
        assertThat(redis.ttl(LOCK)).isLessThanOrEqualTo(left);
        assertThat(row.end("a:1")).isEqualTo(new EndResult("holder", 0));
    }

    @Test
    void expectedHolderLosesTheLock() {
        String stuck = row.acquire(waits("b:1")).token();
        row.acquire(waits("c:1"));
        row.acquire(waits("a:1"));
        Forced forced = force(row, waits("a:1"), stuck);
        assertThat(forced.what()).isEqualTo("granted");
        assertThat(forced.losers()).containsExactly("b:1");
        assertThat(row.queue()).containsExactly("c:1");
    }

    @Test
    void anotherHolderKeepsTheLock() {
        String stuck = row.acquire(waits("b:1")).token();
        row.end("b:1");
        String other = row.acquire(waits("c:1")).token();
        row.acquire(waits("a:1"));
        Map<String, String> before = row.lock();
        try (Inbox c = row.subscribe("c:1")) {
            Forced forced = force(row, waits("a:1"), stuck);
            assertThat(forced.what()).isEqualTo("busy");
            assertThat(forced.token()).isEqualTo("0");
            assertThat(forced.mark()).isEqualTo(other);
            assertThat(forced.holder()).hasSize(6);
            assertThat(forced.holder().subList(0, 2)).isEqualTo(List.of("c:1", other));
            assertThat(forced.taken()).isEmpty();
            assertThat(c.messages()).isEmpty();
        }
        assertThat(row.lock()).isEqualTo(before);
        assertThat(row.queue()).containsExactly("a:1");
    }

    @Test
    void lockWithoutTheExpectedHolderIsLeftToTheQueue() {
        String stuck = row.acquire(waits("b:1")).token();
        row.acquire(waits("c:1"));
        row.acquire(waits("a:1"));
        row.expire();
        Forced forced = force(row, waits("a:1"), stuck);
        assertThat(forced.what()).isEqualTo("busy");
        assertThat(forced.holder()).isEmpty();
        assertThat(row.queue()).containsExactly("c:1", "a:1");
        assertThat(row.holder()).isEqualTo("none");
    }

    @Test
    void lockInAnUnknownModeIsTaken() {
        row.acquire(waits("b:1"));
        row.writeMode("q");
        try (Inbox b = row.subscribe("b:1")) {
            Forced forced = force(row, tries("a:1"));
            assertThat(forced.losers()).containsExactly("b:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.lock()).containsEntry("mode", "x").containsEntry("id", "a:1");
    }

    @Test
    void lockThatIsKeptAfterItsReleaseIsTaken() {
        row.acquire(waits("b:1"));
        row.end("b:1", 0, 30_000);
        redis.resetStats();
        assertThat(force(row, tries("a:1")).losers()).containsExactly("");
        assertThat(redis.commandStats()).as("it has no process").doesNotContainKey("publish");
        assertThat(row.holder()).isEqualTo("a:1");
    }

    @Test
    void severalLocksAreTakenInOneStep() {
        String first = locks.acquire(waits("b:1"), A).token();
        String second = locks.acquire(waits("c:1"), B).token();
        locks.acquire(waits("a:1"), A, B);
        locks.acquire(waits("d:1"), B);
        try (Inbox b = row.subscribe("b:1");
                Inbox c = row.subscribe("c:1")) {
            Forced forced = force(row, waits("a:1"), "0", A, B);
            assertThat(forced.what()).isEqualTo("granted");
            assertThat(forced.losers()).containsExactly("b:1", "c:1");
            assertThat(locks.fields(A)).containsEntry("id", "a:1").containsEntry("token", forced.token());
            assertThat(locks.fields(B)).containsEntry("id", "a:1").containsEntry("token", forced.token());
            assertThat(b.messages()).containsExactly("revoke 1 b:1 " + first + " " + SeveralLocks.lock(A));
            assertThat(c.messages()).containsExactly("revoke 1 c:1 " + second + " " + SeveralLocks.lock(B));
        }
        assertThat(locks.waiters(A)).isEmpty();
        assertThat(locks.waiters(B)).containsExactly("d:1");
    }

    @Test
    void holderOfSeveralLocksLosesTheOneThatIsTaken() {
        locks.acquire(waits("b:1"), A, B);
        force(row, tries("a:1"));
        assertThat(locks.holder(A)).isEqualTo("a:1");
        assertThat(locks.holder(B)).isEqualTo("b:1");
        locks.end("b:1", A, B);
        assertThat(locks.holder(A)).isEqualTo("a:1");
        assertThat(locks.holder(B)).isEqualTo("none");
    }

    @Test
    void requestThatHasLostOneOfItsLocksIsGrantedAllAnew() {
        String before = force(row, tries("a:1"), "0", A, B).token();
        locks.expire(B);
        locks.acquire(waits("c:1"), B);
        try (Inbox a = row.subscribe("a:1")) {
            Forced forced = force(row, tries("a:1"), "0", A, B);
            assertThat(forced.losers()).containsExactly("c:1");
            assertThat(Long.parseLong(forced.token())).isGreaterThan(Long.parseLong(before));
            assertThat(locks.fields(A)).containsEntry("token", forced.token());
            assertThat(a.messages()).as("it does not lose its own lock").isEmpty();
        }
    }

    @Test
    void expectedHolderMustHaveAllLocksThatAreHeld() {
        String stuck = locks.acquire(waits("b:1"), A).token();
        String other = locks.acquire(waits("c:1"), B).token();
        assertThat(force(row, waits("a:1"), stuck, A, B).holder().subList(0, 1)).isEqualTo(List.of("b:1"));
        assertThat(force(row, waits("a:1"), other, A, B).what()).isEqualTo("busy");
        assertThat(locks.holder(A)).isEqualTo("b:1");
        locks.end("c:1", B);
        assertThat(force(row, waits("a:1"), stuck, A, B).losers()).containsExactly("b:1");
        assertThat(locks.holder(B)).isEqualTo("a:1");
    }

    @Test
    void waitersThatPollAreLeftAlone() {
        row.acquire(waits("b:1"));
        row.acquire(polls("c:1"));
        force(row, tries("a:1"));
        assertThat(row.queue()).containsExactly("c:1");
    }

    @Test
    void userWithoutPublishTakesTheLockWithoutAMessage() {
        row.acquire(waits("b:1"));
        LockRow mute = row.as("mute", "~lock:*", "resetchannels", DocumentedCommands.rights());
        assertThat(force(mute, tries("a:1")).what()).isEqualTo("granted");
        assertThat(row.holder()).isEqualTo("a:1");
    }

    @Test
    void noHolderIsNotifiedIfRedisRefusesToWrite() {
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            redis.command("CONFIG", "SET", "min-replicas-to-write", "1");
            try {
                assertThatExceptionOfType(RedisErrorException.class).isThrownBy(() -> force(row, tries("a:1")));
            } finally {
                redis.command("CONFIG", "SET", "min-replicas-to-write", "0");
            }
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.holder()).isEqualTo("b:1");
    }
}
