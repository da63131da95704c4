package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code waitStrategy}: who polls, for a key that is deleted without a message. No recheck helps a waiter. */
@Tag("once")
class WaitStrategyAttributeTests extends AttributeFixture {

    WaitStrategyAttributeTests() {
        super(
                List.of(
                        "often=20ms",
                        "baton.expire=60s",
                        "baton.wait-time=30s",
                        "baton.recheck=1h",
                        "baton.polling.interval=30ms",
                        "baton.scopes.scoped.wait-strategy=polling",
                        "baton.scopes.scoped.polling-interval=20ms"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void methodPolls() throws Exception {
        assertPolls("a", bean(OnMethods.class)::configuredInterval);
    }

    @Test
    void methodWaitsInTheQueueByDefault() throws Exception {
        assertQueued("a", bean(OnMethods.class)::configured);
    }

    @Test
    void nearestValueWins() throws Exception {
        assertPolls("scoped", bean(OnMethods.class)::scoped);
        assertPolls("b", bean(OnClass.class)::inherited);
        assertPolls("c", bean(InDefaults.class)::inherited);
    }

    @Test
    void methodGoesBackIntoTheQueue() throws Exception {
        assertQueued("scoped", bean(OnMethods.class)::queued);
        assertQueued("b", bean(OnClass.class)::queued);
        assertQueued("c", bean(InDefaults.class)::queued);
    }

    private void assertQueued(String scope, Callable<Duration> call) throws Exception {
        try (Lease held = hold(scope)) {
            Future<Duration> waiting = inBackground(call);
            awaitWaiter(scope + ".global");
            assertThat(held.isHeld()).isTrue();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> get(waiting))
                    .withCauseInstanceOf(LockTimeoutException.class);
        }
    }

    static class OnMethods {
        @DistributedLock(scope = "a", waitStrategy = WaitStrategy.POLLING)
        Duration configuredInterval() {
            return lease().waited();
        }

        @DistributedLock(scope = "a", waitTimeString = "1s")
        Duration configured() {
            return lease().waited();
        }

        @DistributedLock("scoped")
        Duration scoped() {
            return lease().waited();
        }

        @DistributedLock(scope = "scoped", waitStrategy = WaitStrategy.GRANT, waitTimeString = "1s")
        Duration queued() {
            return lease().waited();
        }
    }

    @DistributedLock(scope = "b", waitStrategy = WaitStrategy.POLLING, pollingIntervalString = "20ms")
    static class OnClass {
        public Duration inherited() {
            return lease().waited();
        }

        @DistributedLock(waitStrategy = WaitStrategy.GRANT, waitTimeString = "1s")
        public Duration queued() {
            return lease().waited();
        }
    }

    @LockDefaults(scope = "c", waitStrategy = WaitStrategy.POLLING, pollingIntervalString = "${often}")
    static class InDefaults {
        @DistributedLock
        Duration inherited() {
            return lease().waited();
        }

        @DistributedLock(waitStrategy = WaitStrategy.GRANT, waitTimeString = "1s")
        Duration queued() {
            return lease().waited();
        }
    }
}
