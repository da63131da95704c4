package dev.baton.lock.redis.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that copies of a message are found, and nothing else. */
class RecentMessagesTests {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final RecentMessages recent = new RecentMessages(now::get);

    private boolean isFirst(String message) {
        return recent.isFirst(message.getBytes(UTF_8));
    }

    @Test
    void copiesAreFoundForHalfASecond() {
        assertThat(isFirst("grant 1")).isTrue();
        assertThat(isFirst("grant 1")).isFalse();
        assertThat(isFirst("grant 2")).isTrue();
        now.addAndGet(RecentMessages.KEEP_NANOS - 1);
        assertThat(isFirst("grant 1")).isFalse();
        now.addAndGet(1);
        assertThat(isFirst("grant 1")).as("the same text again, much later").isTrue();
        assertThat(isFirst("grant 1")).isFalse();
    }

    @Test
    void bytesThatAreNoTextStayDifferent() {
        assertThat(recent.isFirst(new byte[] {(byte) 0xff})).isTrue();
        assertThat(recent.isFirst(new byte[] {(byte) 0xfe})).isTrue();
        assertThat(recent.isFirst(new byte[] {(byte) 0xff})).isFalse();
    }

    @Test
    void floodTakesBoundedMemory() {
        isFirst("first");
        for (int i = 0; i < RecentMessages.MOST; i++) {
            assertThat(isFirst("message " + i)).isTrue();
        }
        assertThat(isFirst("message " + (RecentMessages.MOST - 1))).isFalse();
        assertThat(isFirst("first")).as("forgotten").isTrue();
    }
}
