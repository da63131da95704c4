package dev.baton.lock.autoconfigure.attributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.annotation.LockDefaults;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests {@code recheckString}: how often a waiting call asks again, for a key that is deleted without a message long
 * before the end of the lease.
 */
@Tag("once")
class RecheckAttributeTests extends AttributeFixture {

    RecheckAttributeTests() {
        super(
                List.of(
                        "often=50ms",
                        "baton.expire=60s",
                        "baton.wait-time=30s",
                        "baton.recheck=1h",
                        "baton.scopes.scoped.recheck=50ms"),
                OnMethods.class,
                OnClass.class,
                InDefaults.class);
    }

    @Test
    void deletedLockIsFoundFree() throws Exception {
        assertFound("a", bean(OnMethods.class)::text);
        assertFound("a", bean(OnMethods.class)::placeholder);
    }

    @Test
    void nearestValueWins() throws Exception {
        assertFound("scoped", bean(OnMethods.class)::scoped);
        assertFound("b", bean(OnClass.class)::inherited);
        assertFound("c", bean(InDefaults.class)::inherited);
        assertNotFound("b", bean(OnClass.class)::own);
        assertNotFound("c", bean(InDefaults.class)::own);
    }

    @Test
    void configuredRecheckIsUsedByDefault() {
        assertNotFound("a", bean(OnMethods.class)::configured);
    }

    private void assertFound(String scope, Callable<Duration> call) throws Exception {
        assertThat(waitForTheVanished(scope, call)).isLessThan(Duration.ofSeconds(10));
    }

    private void assertNotFound(String scope, Callable<Duration> call) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> waitForTheVanished(scope, call))
                .withCauseInstanceOf(LockTimeoutException.class);
    }

    private Duration waitForTheVanished(String scope, Callable<Duration> call) throws Exception {
        Lease held = hold(scope);
        try {
            Future<Duration> waiting = inBackground(call);
            awaitWaiter(scope + ".global");
            redis.command("DEL", held.redisKeys().get(0));
            return get(waiting);
        } finally {
            assertThat(held.release()).isFalse();
        }
    }

    static class OnMethods {
        @DistributedLock(scope = "a", recheckString = "50ms")
        Duration text() {
            return lease().waited();
        }

        @DistributedLock(scope = "a", recheckString = "${often}")
        Duration placeholder() {
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
    }

    @DistributedLock(scope = "b", recheckString = "50ms")
    static class OnClass {
        public Duration inherited() {
            return lease().waited();
        }

        @DistributedLock(recheckString = "30s", waitTimeString = "1s")
        public Duration own() {
            return lease().waited();
        }
    }

    @LockDefaults(scope = "c", recheckString = "${often}")
    static class InDefaults {
        @DistributedLock
        Duration inherited() {
            return lease().waited();
        }

        @DistributedLock(recheckString = "30s", waitTimeString = "1s")
        Duration own() {
            return lease().waited();
        }
    }
}
