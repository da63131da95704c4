package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.LockRequest;
import dev.baton.lock.OnLost;
import dev.baton.lock.Renewal;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScopeDefaultsTests {

    private static final WaitTime OTHERWISE = WaitTime.of(Duration.ofSeconds(10));

    private final LockRequest given = LockRequest.of("server_access")
            .expire(Duration.ofSeconds(20))
            .waitTime(Duration.ofSeconds(1))
            .stallTime(Duration.ofSeconds(2))
            .recheck(Duration.ofSeconds(3))
            .waitStrategy(WaitStrategy.POLLING)
            .pollingInterval(Duration.ofMillis(20))
            .holdAtLeast(Duration.ofSeconds(4))
            .renew(Renewal.NEVER)
            .onLost(OnLost.LOG);

    private final ScopeDefaults defaults = new ScopeDefaults(Map.of("server_access", given));

    @Test
    void defaultsFillUnsetAttributesOfARequest() {
        LockRequest request = LockRequest.of("server_access", 42);
        assertThat(defaults.complete(request))
                .isEqualTo(given.targets(request.targets()).waitTime((WaitTime) null));
        assertThat(defaults.waitTime(request, OTHERWISE)).isEqualTo(WaitTime.of(Duration.ofSeconds(1)));
    }

    @Test
    void attributesOfTheRequestOverrideTheDefaults() {
        LockRequest request = LockRequest.of("server_access")
                .expire(Duration.ofSeconds(30))
                .stallTime(Duration.ofSeconds(31))
                .recheck(Duration.ofSeconds(32))
                .waitStrategy(WaitStrategy.POLLING)
                .pollingInterval(Duration.ofMillis(30))
                .holdAtLeast(Duration.ofSeconds(29))
                .renew(Renewal.ALWAYS)
                .onLost(OnLost.THROW);
        assertThat(defaults.complete(request)).isEqualTo(request);
    }

    @Test
    void intervalOfTheScopeIsForRequestsThatPoll() {
        LockRequest queued = LockRequest.of("server_access").waitStrategy(WaitStrategy.GRANT);
        assertThat(defaults.complete(queued).waitStrategy()).isEqualTo(WaitStrategy.GRANT);
        assertThat(defaults.complete(queued).pollingInterval()).isNull();
        LockRequest polling = LockRequest.of("server_access").waitStrategy(WaitStrategy.POLLING);
        assertThat(defaults.complete(polling).pollingInterval()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void strategyIsThatOfTheRequestThenOfTheScope() {
        LockRequest request = LockRequest.of("server_access");
        assertThat(defaults.waitStrategy(request.waitStrategy(WaitStrategy.GRANT), WaitStrategy.KEYSPACE))
                .isEqualTo(WaitStrategy.GRANT);
        assertThat(defaults.waitStrategy(request, WaitStrategy.KEYSPACE)).isEqualTo(WaitStrategy.POLLING);
        assertThat(defaults.waitStrategy(LockRequest.of("report"), WaitStrategy.KEYSPACE))
                .isEqualTo(WaitStrategy.KEYSPACE);
    }

    @Test
    void requestsForOtherOrSeveralScopesAreUnchanged() {
        LockRequest other = LockRequest.of("report");
        assertThat(defaults.complete(other)).isSameAs(other);
        assertThat(defaults.waitTime(other, OTHERWISE)).isEqualTo(OTHERWISE);
        LockRequest both = LockRequest.of("server_access").and(other);
        assertThat(defaults.complete(both)).isSameAs(both);
    }

    @Test
    void defaultsApplyToSeveralLocksOfTheScope() {
        LockRequest several = LockRequest.ofAll("server_access", List.of(1, 2));
        assertThat(defaults.complete(several).expire()).isEqualTo(Duration.ofSeconds(20));
        assertThat(defaults.complete(several).names()).containsExactly("server_access.1", "server_access.2");
    }

    @Test
    void defaultsForSeveralLocksAreRefused() {
        LockTemplateBuilder builder = LockTemplate.builder(new FakeLockStore());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.scope(LockRequest.ofAll("a", List.of(1, 2))))
                .withMessage("defaults of a scope for 'a.1, a.2' name several locks; give them a scope only");
    }
}
