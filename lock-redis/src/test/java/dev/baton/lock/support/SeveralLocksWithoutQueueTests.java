package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.SeveralLocksScenarios;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several locks in one request on a real Redis, for processes that ask again instead of queueing such a request. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Setup#someOthers")
@Tag("nightly")
class SeveralLocksWithoutQueueTests extends SeveralLocksScenarios {

    private static final Duration LONG_RECHECK = Duration.ofSeconds(20);

    private final Setup setup;
    private TestRedis redis;

    SeveralLocksWithoutQueueTests(Setup setup) {
        this.setup = setup;
    }

    @Override
    protected Fleet newFleet() {
        RedisFleet onRedis = new RedisFleet(setup);
        redis = onRedis.redis;
        return onRedis;
    }

    @Test
    void waiterHasNoKeyInRedis() throws Exception {
        Lease busy = other.acquire(B);
        Future<Lease> both = fleet.begin(() -> one.acquire(BOTH));
        fleet.awaitWaiting(BOTH, 1);
        assertThat(redis.keys()).containsExactlyInAnyOrder("lock:fence", "lock:lock:k.{t}b");
        assertThat(busy.release()).isTrue();
        assertThat(fleet.get(both, Duration.ofSeconds(3)).release()).isTrue();
    }

    @Test
    void waiterWhoseLocksAreNeverFreeTogetherTimesOut() {
        Lease held = other.acquire(A);
        Future<Lease> both = fleet.begin(() -> one.acquire(BOTH.waitTime(Duration.ofSeconds(2))));
        fleet.awaitWaiting(BOTH, 1);
        for (LockRequest next = B; !both.isDone(); next = next == A ? B : A) {
            Lease taken = other.acquire(next);
            assertThat(held.release()).isTrue();
            held = taken;
            fleet.pass(Duration.ofMillis(20));
        }
        assertThatThrownBy(() -> fleet.get(both, Duration.ofSeconds(1))).isInstanceOf(LockTimeoutException.class);
        assertThat(held.release()).isTrue();
        fleet.assertNothingLeft();
    }

    /** Long before a recheck; with the other strategies, no message tells of a free lock. */
    @Test
    void keyspaceWatchesEveryLockAndWakesWhenTheLastIsFreed() throws Exception {
        if (setup.strategy() != WaitStrategy.KEYSPACE) {
            return;
        }
        LockTemplate calm = fleet.start(builder -> builder.recheck(LONG_RECHECK));
        Lease a = other.acquire(A);
        Lease b = other.acquire(B);
        Future<Lease> both = fleet.begin(() -> calm.acquire(BOTH.waitUnbounded()));
        fleet.awaitWaiting(BOTH, 1);
        await().until(() -> redis.command("PUBSUB", "NUMSUB", channel("a"), channel("b"))
                .toString()
                .equals(List.of(channel("a"), 1L, channel("b"), 1L).toString()));
        assertThat(b.release()).isTrue();
        assertThat(fleet.isHeld("k.{t}b")).isFalse();
        assertThat(a.release()).isTrue();
        assertThat(fleet.get(both, Duration.ofSeconds(3)).release()).isTrue();
        await().until(() ->
                redis.command("PUBSUB", "CHANNELS", "__keyspace*k.*").toString().equals("[]"));
    }

    private String channel(String key) {
        return "__keyspace@" + setup.database() + "__:lock:lock:k.{t}" + key;
    }
}
