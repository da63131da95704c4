package dev.baton.lock.engine.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockHolder;
import dev.baton.lock.engine.ticket.StallPolicy.Seen;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StallPolicyTests {

    /** Just before the wrap-around of the clock. */
    private static final long T = Long.parseLong("9223372036854775802");

    private final StallPolicy policy = new StallPolicy(100);

    @Test
    void clockStartsWhenTheHolderIsFirstSeen() {
        Seen seen = see(null, 7, T, T + 3);

        assertThat(seen).isEqualTo(new Seen(7, T + 3, T));
        assertThat(policy.due(seen)).isEqualTo(T + 103);
        assertThat(policy.isStuck(seen)).isFalse();
    }

    @Test
    void sameHolderIsStuckIfSeenAtTheEndOfTheStallTime() {
        Seen first = see(null, 7, T, T + 3);

        assertThat(policy.isStuck(see(first, 7, T + 102, T + 500)))
                .as("sent before the end, and answered after it")
                .isFalse();
        assertThat(policy.isStuck(see(first, 7, T + 103, T + 104))).isTrue();
    }

    @Test
    void newHolderRestartsTheClock() {
        Seen other = see(see(null, 7, T, T), 8, T + 200, T + 201);

        assertThat(policy.isStuck(other)).isFalse();
        assertThat(policy.due(other)).isEqualTo(T + 301);
        assertThat(policy.isStuck(see(other, 8, T + 300, T + 300))).isFalse();
        assertThat(policy.isStuck(see(other, 8, T + 301, T + 301))).isTrue();
    }

    @Test
    void smallerTokenIsAnotherHolder() {
        Seen other = see(see(null, 7, T, T), 2, T + 200, T + 200);

        assertThat(policy.isStuck(other)).isFalse();
    }

    @Test
    void overtakenAnswerChangesNothing() {
        Seen last = see(see(null, 7, T, T), 8, T + 50, T + 51);

        assertThat(see(last, 7, T + 49, T + 60)).isSameAs(last);
        assertThat(policy.next(last, null, T + 49, T + 60)).isSameAs(last);
    }

    @Test
    void freeLockIsNeverStuck() {
        Seen last = see(null, 7, T, T);

        assertThat(policy.next(last, null, T + 50, T + 51)).isNull();
        assertThat(policy.isStuck(null)).isFalse();
        assertThat(see(null, 7, T + 99, T + 99).since())
                .as("after a gap the same token may be a new grant, so the clock starts again")
                .isEqualTo(T + 99);
    }

    private Seen see(@Nullable Seen last, long token, long askedAt, long now) {
        LockHolder holder = new LockHolder("a:1/b", "i:t1", token, Duration.ofDays(1), Duration.ofDays(1));
        Seen next = policy.next(last, holder, askedAt, now);
        assertThat(next).isNotNull();
        return next;
    }
}
