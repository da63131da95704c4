package dev.baton.lock.redis;

import static dev.baton.lock.redis.ForceRow.tellHolders;
import static dev.baton.lock.redis.LockRow.LOCK;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static dev.baton.lock.redis.PermitRow.takes;
import static dev.baton.lock.redis.ReaderRow.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RedisView;
import dev.baton.lock.redis.LockRow.Inbox;
import java.util.SortedSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests tell_holders.lua. */
@Tag("scripts")
class TellHoldersScriptTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void processOfTheHolderIsTold() {
        String token = row.acquire(waits("a:x:1")).token();
        row.acquire(waits("b:1"));
        SortedSet<String> before = redis.keys();
        try (Inbox a = row.subscribe("a:x:1");
                Inbox b = row.subscribe("b:1")) {
            assertThat(tellHolders(row)).isOne();
            assertThat(a.messages()).containsExactly("wanted 1 a:x:1 " + token + " " + LOCK);
            assertThat(b.messages()).isEmpty();
        }
        assertThat(redis.keys()).isEqualTo(before);
    }

    @Test
    void eachProcessWithReadersIsToldOnce() {
        String token = row.acquire(reads("a:1")).token();
        row.acquire(reads("a:2").lease(70_000));
        row.acquire(reads("b:1"));
        try (Inbox a = row.subscribe("a:1");
                Inbox b = row.subscribe("b:1")) {
            assertThat(tellHolders(row)).isEqualTo(2);
            assertThat(a.messages()).containsExactly("wanted 1 a:1 " + token + " " + LOCK);
            assertThat(b.messages()).containsExactly("wanted 1 b:1 " + token + " " + LOCK);
        }
    }

    @Test
    void eachProcessWithPermitsIsToldOnce() {
        String token = row.acquire(takes("a:1", 1, 3)).token();
        row.acquire(takes("a:2", 1, 3).lease(70_000));
        row.acquire(takes("b:1", 1, 3));
        try (Inbox a = row.subscribe("a:1");
                Inbox b = row.subscribe("b:1")) {
            assertThat(tellHolders(row)).isEqualTo(2);
            assertThat(a.messages()).containsExactly("wanted 1 a:1 " + token + " " + LOCK);
            assertThat(b.messages()).containsExactly("wanted 1 b:1 " + token + " " + LOCK);
        }
    }

    @Test
    void readerWhoseLeaseHasEndedIsNotTold() {
        row.acquire(reads("a:1").lease(5));
        row.acquire(reads("b:1"));
        row.awaitTime(row.time() + 6_000);
        try (Inbox a = row.subscribe("a:1")) {
            assertThat(tellHolders(row)).isOne();
            assertThat(a.messages()).isEmpty();
        }
    }

    @Test
    void lockWithoutAHolderTellsNone() {
        assertThat(tellHolders(row)).isZero();
        row.acquire(waits("a:1"));
        row.end("a:1", 0, 30_000);
        assertThat(tellHolders(row)).as("it is only kept").isZero();
        row.writeLock("3 x a:1 7 6 owner label");
        assertThat(tellHolders(row)).as("another format").isZero();
    }

    @Test
    void userWithoutPublishTellsNoneAndDoesNotFail() {
        row.acquire(waits("a:1"));
        LockRow mute = row.as("mute", "~lock:*", "resetchannels", DocumentedCommands.rights());
        assertThat(tellHolders(mute)).isOne();
    }
}
