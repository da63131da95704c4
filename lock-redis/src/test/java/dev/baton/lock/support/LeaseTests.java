package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.LeaseScenarios;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be done with a lease on a real Redis, and what its keys are then. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class LeaseTests extends LeaseScenarios {

    private static final String LOCK = "lock:lock:{x.global}";
    private static final LockRequest X = LockRequest.of("x").expire(Duration.ofSeconds(20));

    private final Backend backend;
    private TestRedis redis;

    LeaseTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        RedisFleet started = new RedisFleet(backend);
        redis = started.redis;
        return started;
    }

    @Test
    void leaseThatIsStillHeldIsExtendedInRedis() {
        Lease lease = one.acquire(X);
        redis.command("PEXPIRE", LOCK, "5000");
        assertThat(lease.renewOrReacquire(Duration.ofSeconds(30))).containsSame(lease);
        assertThat(redis.ttl(LOCK)).isGreaterThan(25_000);
        assertThat(lease.release()).isTrue();
    }

    @Test
    void keyThatIsKeptLivesForTheRestOfTheHold() {
        Lease lease = one.acquire(X.holdAtLeast(Duration.ofSeconds(2)));
        assertThat(lease.release()).isTrue();
        assertThat(redis.ttl(LOCK)).isBetween(1L, 2_000L);
    }

    @Test
    void keyThatIsKeptLivesForTheRestOfTheLongerHoldOfAReentry() {
        Lease outer = one.acquire(X);
        Lease inner = one.acquire(LockRequest.of("x").holdAtLeast(Duration.ofSeconds(10)));
        inner.close();
        outer.close();
        assertThat(redis.ttl(LOCK)).isBetween(5_000L, 10_000L);
    }

    @Test
    void holdThatIsRefusedLeavesNoKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.acquire(LockRequest.of("x").holdAtLeast(Duration.ofSeconds(31))));
        assertThat(redis.keys()).isEmpty();
    }

    /** Of {@code thousandLeasesAreRenewed}: their renewals are a few commands, and every lease keeps its key. */
    @Override
    protected void letThousandLeasesBeRenewed() {
        redis.resetStats();
        super.letThousandLeasesBeRenewed();
        long commands = redis.commandStats().getOrDefault("evalsha", 0L);
        assertThat(commands).as("renewals of 1,000 leases, three times or more").isBetween(12L, 300L);
        assertThat(redis.keys()).filteredOn(key -> key.startsWith("lock:lock:")).hasSize(1_000);
    }
}
