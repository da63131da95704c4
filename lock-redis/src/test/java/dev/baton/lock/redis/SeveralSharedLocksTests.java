package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.ReaderRow.reads;
import static dev.baton.lock.redis.SeveralLocks.PATIENT;
import static dev.baton.lock.redis.SeveralLocks.lock;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.AcquireResult;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests requests for several locks with a mode per lock. */
@Tag("scripts")
class SeveralSharedLocksTests {

    private final RedisView redis = ScriptServer.redis();
    private final SeveralLocks locks = new SeveralLocks(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void eachLockIsGrantedInItsMode() {
        String run = locks.acquire(reads("a:1"), "a").token();
        AcquireResult result = locks.acquireMixed(PATIENT, tries("b:1"), "s a", "x b");
        assertThat(result.token())
                .as("its own number, not the token of the run")
                .isEqualTo(locks.fence());
        List<?> last = locks.acquire(tries("c:0"), "a").holder();
        assertThat(List.of(last.get(0), last.get(1)))
                .as("the reader whose lease ends last, with the token of the run")
                .isEqualTo(List.of("b:1", run));
        assertThat(locks.acquire(tries("c:1").shared(), "a").answer()).startsWith("granted");
        assertThat(locks.acquire(tries("c:2").shared(), "b").answer()).isEqualTo("busy");
        assertThat(locks.acquire(tries("c:3"), "b").answer()).isEqualTo("busy");
        assertThat(redis.command("GET", lock("b"))).asString().startsWith("2 x b:1 " + result.token());
        assertThat(locks.acquireMixed(PATIENT, tries("b:1"), "s a", "x b").answer())
                .as("a repeat has the same token")
                .isEqualTo("granted " + result.token() + " 1");
        assertThat(locks.renew("b:1", 90_000, "a", "b")).isEqualTo(List.of(1L, 1L));
        assertThat(redis.ttl(lock("a"))).isGreaterThan(80_000L);
        assertThat(redis.ttl(lock("b"))).isGreaterThan(80_000L);
        assertThat(locks.end("b:1", "a", "b").what()).isEqualTo("holder");
        assertThat(locks.acquire(tries("c:3"), "b").answer()).startsWith("granted");
        assertThat(locks.acquire(tries("c:4"), "a").answer()).isEqualTo("busy");
    }

    @Test
    void allOrNone() {
        locks.acquire(reads("a:1"), "a");
        locks.acquire(waits("a:2"), "b");
        assertThat(locks.acquireMixed(PATIENT, tries("b:1"), "s a", "x b").answer())
                .isEqualTo("busy");
        assertThat(locks.acquireMixed(PATIENT, tries("b:2"), "s a", "s b").answer())
                .isEqualTo("busy");
        assertThat(redis.command("ZCARD", "lock:readers:{a}")).isEqualTo(1L);
    }

    @Test
    void waiterIsGrantedAllInOneStepByAMessage() {
        locks.acquire(waits("a:1"), "b");
        locks.acquireMixed(PATIENT, waits("b:1"), "s a", "x b");
        try (Inbox inbox = locks.subscribe("b:1")) {
            locks.end("a:1", "b");
            String token = locks.fence();
            assertThat(inbox.messages())
                    .containsExactly("grant 3 b:1 " + token + " " + token + " "
                            + lock("a").length() + " " + lock("a") + " "
                            + lock("b").length() + " " + lock("b"));
        }
        assertThat(redis.command("GET", lock("a"))).asString().startsWith("2 s  ");
        assertThat(redis.command("GET", lock("b"))).asString().startsWith("2 x b:1 ");
        assertThat(redis.command("EXISTS", "lock:queue:{a}")).isEqualTo(0L);
    }

    @Test
    void readersMayPassAWriterOfSeveralLocksWhileItIsPatient() {
        locks.acquire(reads("a:1"), "a");
        locks.acquire(waits("a:2"), "b");
        locks.acquire(PATIENT, waits("b:1"), "a", "b");
        assertThat(locks.acquire(reads("c:1"), "a").answer()).startsWith("granted");
        locks.acquireImpatient(waits("d:1"), "a", "b");
        assertThat(locks.acquire(reads("c:2"), "a").answer()).isEqualTo("busy");
        assertThat(locks.acquire(tries("c:3").shared(), "a").answer()).isEqualTo("busy");
    }

    @Test
    void readerOfSeveralLocksIsNotGrantedBehindAWriterOfOneOfThem() {
        locks.acquire(reads("a:1"), "a");
        locks.acquire(waits("a:2"), "b");
        locks.acquire(waits("c:1"), "a");
        locks.acquireMixed(PATIENT, waits("b:1"), "s a", "s b");
        try (Inbox b = locks.subscribe("b:1");
                Inbox c = locks.subscribe("c:1")) {
            locks.end("a:2", "b");
            assertThat(b.messages()).as("the writer of a comes first").isEmpty();
            locks.end("a:1", "a");
            assertThat(c.messages()).hasSize(1);
            locks.end("c:1", "a");
            assertThat(b.messages()).hasSize(1);
        }
    }

    /** Its inbox has no subscriber, but on a shared lock no reader passes it. */
    @Test
    void readerOfSeveralLocksDoesNotPassADeafWriterOfASharedLock() {
        locks.acquire(reads("a:1"), "a");
        locks.acquire(waits("a:2"), "b");
        locks.acquire(waits("deaf:1"), "a");
        locks.acquireMixed(PATIENT, waits("b:1"), "s a", "s b");
        try (Inbox b = locks.subscribe("b:1")) {
            locks.end("a:2", "b");
            assertThat(b.messages()).isEmpty();
        }
    }

    @Test
    void readersOfTheSameLocksAreGrantedThemTogether() {
        locks.acquire(waits("a:1"), "a");
        locks.acquireMixed(0, waits("b:1"), "s a", "s b");
        locks.acquireMixed(0, waits("c:1"), "s a", "s b");
        try (Inbox b = locks.subscribe("b:1");
                Inbox c = locks.subscribe("c:1")) {
            locks.end("a:1", "a");
            assertThat(b.messages()).hasSize(1);
            assertThat(c.messages()).hasSize(1);
        }
    }

    /** The other lock has no run yet, and its token must be later than that of all earlier writers. */
    @Test
    void waiterThatJoinsARunHasATokenOfItsOwn() {
        locks.acquire(reads("a:1"), "a");
        String run = locks.fence();
        locks.acquire(waits("w:1"), "a");
        locks.acquireMixed(PATIENT, waits("b:1"), "s a", "s b");
        try (Inbox b = locks.subscribe("b:1")) {
            locks.end("w:1", "a");
            assertThat(Long.parseLong(locks.fence())).isGreaterThan(Long.parseLong(run));
            assertThat(b.messages()).singleElement().asString().startsWith("grant 3 b:1 " + locks.fence() + " ");
        }
    }

    /** The writer of one lock is deaf, and the writer of both may be passed, because it is patient. */
    @Test
    void onlyOneReaderPassesADeafWriterAlsoBesideAPatientOne() {
        locks.acquire(waits("a:1"), "a");
        locks.acquire(waits("x:1"), "b");
        locks.acquire(waits("deaf:1"), "a");
        locks.acquire(PATIENT, waits("m:1"), "a", "b");
        locks.acquire(reads("c:1"), "a");
        locks.acquire(reads("c:2"), "a");
        try (Inbox c = locks.subscribe("c:1");
                Inbox m = locks.subscribe("m:1")) {
            locks.end("a:1", "a");
            assertThat(c.messages()).singleElement().asString().startsWith("grant 3 c:1 ");
            assertThat(m.messages()).isEmpty();
        }
    }

    @Test
    void missingLocksAreNamed() {
        locks.acquireMixed(PATIENT, tries("b:1"), "s a", "x b");
        redis.command("DEL", lock("a"));
        assertThat(locks.renew("b:1", 1_000, "a", "b")).isEqualTo(List.of(0L, 1L));
        assertThat(locks.acquireMixed(PATIENT, tries("b:1"), "s a", "x b").answer())
                .as("the rest of its locks is in nobody's way")
                .startsWith("granted");
        redis.command("DEL", lock("b"));
        assertThat(locks.end("b:1", "a", "b").missing()).isEqualTo(List.of(2L));
        assertThat(redis.command("EXISTS", lock("a"))).isEqualTo(0L);
    }
}
