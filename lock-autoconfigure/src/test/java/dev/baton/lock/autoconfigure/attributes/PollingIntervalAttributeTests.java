package dev.baton.lock.autoconfigure.attributes;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code pollingIntervalString}: how often a call polls. Where a longer interval counted, the wait would fail. */
@Tag("once")
class PollingIntervalAttributeTests extends AttributeFixture {

    PollingIntervalAttributeTests() {
        super(
                List.of(
                        "often=20ms",
                        "baton.expire=60s",
                        "baton.wait-time=30s",
                        "baton.recheck=1h",
                        "baton.polling.interval=1h",
                        "baton.scopes.seldom.wait-strategy=polling",
                        "baton.scopes.seldom.polling-interval=1h"),
                OnMethods.class,
                InDefaults.class);
    }

    @Test
    void methodPollsAtItsOwnInterval() throws Exception {
        assertPolls("a", bean(OnMethods.class)::placeholder);
        assertPolls("seldom", bean(OnMethods.class)::overScope);
    }

    @Test
    void methodPollsAtTheIntervalOfItsClass() throws Exception {
        assertPolls("b", bean(InDefaults.class)::inherited);
    }

    static class OnMethods {
        @DistributedLock(scope = "a", waitStrategy = WaitStrategy.POLLING, pollingIntervalString = "${often}")
        Duration placeholder() {
            return lease().waited();
        }

        @DistributedLock(scope = "seldom", pollingIntervalString = "20ms")
        Duration overScope() {
            return lease().waited();
        }
    }

    @LockDefaults(scope = "b", waitStrategy = WaitStrategy.POLLING, pollingIntervalString = "20ms")
    static class InDefaults {
        @DistributedLock
        Duration inherited() {
            return lease().waited();
        }
    }
}
