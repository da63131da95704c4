package dev.baton.lock.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.LockDurations;
import dev.baton.lock.LockHolder;
import dev.baton.lock.store.AcquireCommand;
import dev.baton.lock.store.AcquireCommand.Kind;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replies as Redis sends them. */
class RedisRepliesTests {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<Object> holder(long remaining) {
        return List.of(bytes("2 x i:1 7 1000 ow%20ner label"), 31_000L, remaining);
    }

    @Test
    void holderHasItsTimes() {
        LockHolder holder = RedisReplies.holder(holder(500));
        assertThat(holder.owner()).isEqualTo("ow ner");
        assertThat(holder.label()).isEqualTo("label");
        assertThat(holder.fencingToken()).isEqualTo(7);
        assertThat(holder.heldFor()).isEqualTo(Duration.ofMillis(30));
        assertThat(holder.remaining()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void holderOfAKeyThatDoesNotExpireHoldsItForTheLongestLease() {
        assertThat(RedisReplies.holder(holder(-1)).remaining()).isEqualTo(LockDurations.LONGEST_EXPIRE);
    }

    @Test
    void answerThatNoScriptGivesIsRefused() {
        AcquireCommand command = new AcquireCommand(
                List.of(new LockName("", "x.global")),
                List.of(new AcquireCommand.Request("i:1", Kind.TRY, 1_000, -1, 0, "owner", "label")),
                Duration.ofSeconds(1),
                1_000);
        List<Object> reply = List.of(0L, bytes("7"), List.of(), List.of(List.of(bytes("perhaps"))), 0L, 0L);
        assertThatIllegalStateException()
                .isThrownBy(() -> RedisReplies.acquire(reply, command, false))
                .withMessage("a script answered 'perhaps'");
    }
}
