package dev.baton.lock.redis;

import static dev.baton.lock.redis.LockRow.Request.polls;
import static dev.baton.lock.redis.LockRow.Request.tries;
import static dev.baton.lock.redis.LockRow.Request.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.redis.LockRow.Inbox;
import dev.baton.lock.test.RedisView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a Redis user of an application needs, and what happens to one who may not publish. */
@Tag("scripts")
class ScriptRightsTests {

    private final RedisView redis = ScriptServer.redis();
    private final LockRow row = new LockRow(redis);

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @Test
    void commandsAndPatternsOfTheListSuffice() {
        LockRow user = row.as("baton", "~lock:*", "resetchannels &lock:*", DocumentedCommands.rights());
        try (Inbox b = row.subscribe("b:1")) {
            user.acquire(waits("a:1"));
            user.acquire(waits("b:1"), polls("b:2"), tries("b:3"));
            user.acquire(waits("a:1"));
            user.renew("a:1", 90_000);
            user.end("a:1", 1_000);
            assertThat(b.messages()).hasSize(1);
            user.end("b:1");
            user.end("b:2");
            user.acquire(waits("a:1"));
        }
        assertThat(row.lock()).isEmpty();
    }

    @Test
    void waiterWhoMayNotBeToldKeepsItsPlaceAndTheLockIsFree() {
        LockRow mute = row.as("mute", "~lock:*", "resetchannels", DocumentedCommands.rights());
        row.acquire(waits("a:1"));
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            assertThat(mute.end("a:1").what()).isEqualTo("holder");
            assertThat(b.messages()).isEmpty();
        }
        assertThat(row.lock()).isEmpty();
        assertThat(row.queue()).containsExactly("b:1");
        assertThat(mute.acquire(waits("b:1")).answer()).startsWith("granted");
    }

    @Test
    void withoutPubsubTheReceiptOfPublishDecides() {
        LockRow user = row.as(
                "blind",
                "~lock:*",
                "resetchannels &lock:*",
                DocumentedCommands.rights().replace(" +pubsub|numsub", ""));
        row.acquire(waits("a:1"));
        row.acquire(waits("deaf:1"), waits("deaf:2"), waits("deaf:3"));
        redis.resetStats();
        row.acquire(waits("b:1"));
        try (Inbox b = row.subscribe("b:1")) {
            user.end("a:1");
            assertThat(b.messages()).hasSize(1);
        }
        assertThat(row.holder()).isEqualTo("b:1");
        assertThat(row.queue()).containsExactly("deaf:1", "deaf:2", "deaf:3");
        assertThat(redis.commandStats()).as("one message each").containsEntry("publish", 2L);
    }
}
