package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.support.LockTemplate;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code baton.stall-time}: the stall time of every request that has none, of its own or of its scope. */
@Tag("once")
class StallTimeForAllTests extends AttributeFixture {

    StallTimeForAllTests() {
        super(
                List.of("baton.wait-time=30s", "baton.stall-time=200ms", "baton.scopes.scoped.stall-time=20s"),
                Methods.class);
    }

    @Test
    void everyRequestGivesUpOnAStuckHolder() {
        LockTemplate locks = bean(LockTemplate.class);
        try (Lease held = hold("a")) {
            assertStuck(bean(Methods.class)::without, true);
            assertStuck(() -> locks.acquire(LockRequest.of("a")), true);
            assertStuck(() -> locks.mutex(LockRequest.of("a")).lock(), true);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void stallTimeOfTheScopeAndOfTheRequestComeFirst() {
        try (Lease held = hold("scoped")) {
            assertStuck(bean(Methods.class)::scoped, false);
            assertThat(held.isHeld()).isTrue();
        }
        try (Lease held = hold("a")) {
            assertStuck(bean(Methods.class)::own, false);
            assertThat(held.isHeld()).isTrue();
        }
    }

    private static void assertStuck(ThrowingCallable call, boolean stuck) {
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(call)
                .satisfies(busy -> assertThat(busy.isStuck()).isEqualTo(stuck));
    }

    static class Methods {
        @DistributedLock(scope = "a")
        void without() {}

        @DistributedLock(scope = "a", stallTimeString = "20s", waitTimeString = "1200ms")
        void own() {}

        @DistributedLock(scope = "scoped", waitTimeString = "1200ms")
        void scoped() {}
    }
}
