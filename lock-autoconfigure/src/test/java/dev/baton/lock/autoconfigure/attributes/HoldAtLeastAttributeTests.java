package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@code holdAtLeastString}: the lock is kept for this time, even if the method is shorter. */
class HoldAtLeastAttributeTests extends AttributeFixture {

    HoldAtLeastAttributeTests() {
        super(
                List.of("least=20s", "baton.expire=60s", "baton.scopes.scoped.hold-at-least=20s"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void lockIsKeptAfterTheMethodHasReturned() {
        bean(OnMethods.class).text();
        assertKept("a", 20);
    }

    @Test
    void placeholderIsReplaced() {
        bean(OnMethods.class).placeholder();
        assertKept("a", 20);
    }

    @Test
    void nearestValueWins() {
        bean(OnMethods.class).scoped();
        assertKept("scoped", 20);
        bean(OnMethods.class).scopedWithItsOwn();
        assertKept("scoped", 40);
        bean(OnClass.class).inherited();
        assertKept("b", 20);
        bean(OnClass.class).own();
        assertKept("b", 40);
        bean(InDefaults.class).inherited();
        assertKept("c", 20);
        bean(InDefaults.class).own();
        assertKept("c", 40);
    }

    @Test
    void lockIsFreeAtOnceByDefault() {
        bean(OnMethods.class).without();
        assertThat(other().tryAcquire(LockRequest.of("a"))).get().satisfies(lease -> lease.close());
    }

    @Test
    void lockIsFreeAfterTheMinimumHold() {
        bean(OnMethods.class).shortly();
        try (var lease = other().acquire(LockRequest.of("a").waitTime(Duration.ofSeconds(15)))) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Asserts that the lock is kept, and then frees the lock for the next test. */
    private void assertKept(String scope, int seconds) {
        assertThat(other().tryAcquire(LockRequest.of(scope))).isEmpty();
        assertThat(redis.ttl(namespace + ":lock:{" + scope + ".global}"))
                .isBetween((seconds - 10) * 1000L, seconds * 1000L);
        assertThat(other().forceRelease(LockRequest.of(scope))).isTrue();
    }

    static class OnMethods {
        @DistributedLock(scope = "a", holdAtLeastString = "20s")
        void text() {}

        @DistributedLock(scope = "a", holdAtLeastString = "${least}")
        void placeholder() {}

        @DistributedLock(scope = "a", holdAtLeastString = "300ms")
        void shortly() {}

        @DistributedLock("a")
        void without() {}

        @DistributedLock("scoped")
        void scoped() {}

        @DistributedLock(scope = "scoped", holdAtLeastString = "40s")
        void scopedWithItsOwn() {}
    }

    @DistributedLock(scope = "b", holdAtLeastString = "20s")
    static class OnClass {
        public void inherited() {}

        @DistributedLock(holdAtLeastString = "40s")
        public void own() {}
    }

    @LockDefaults(scope = "c", holdAtLeastString = "${least}")
    static class InDefaults {
        @DistributedLock
        void inherited() {}

        @DistributedLock(holdAtLeastString = "40s")
        void own() {}
    }
}
