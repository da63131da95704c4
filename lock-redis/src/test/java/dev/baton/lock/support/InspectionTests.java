package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockState;
import dev.baton.lock.LockStoreException;
import dev.baton.lock.Renewal;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.AclLog;
import dev.baton.lock.redis.DocumentedCommands;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.InspectionScenarios;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Looking at locks on a real Redis, also one that does not answer or does not let a message through. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#all")
class InspectionTests extends InspectionScenarios {

    private final Backend backend;
    private TestRedis redis;

    InspectionTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        RedisFleet onRedis = new RedisFleet(backend);
        redis = onRedis.redis;
        return onRedis;
    }

    @Test
    void holderThatIsNotToldNoticesAtItsRenewal() {
        Lease lease =
                one.acquire(LockRequest.of("x").expire(Duration.ofSeconds(1)).renew(Renewal.ALWAYS));
        redis.command("ACL", "SETUSER", Backend.USER, "resetchannels");
        assertThat(other.forceRelease(LockRequest.of("x"))).isTrue();
        fleet.until(Duration.ofSeconds(2), () -> !lease.isHeld());
        Backend.allow(redis, DocumentedCommands.needed());
        // of the channels that it had no right to
        AclLog.clear(redis);
    }

    @Test
    void listIsReadPageByPageAndEndsWhenItIsClosed() {
        for (int i = 0; i < 5_000; i++) {
            redis.command("SET", "other:" + i, "x");
        }
        IntStream.range(0, 50).forEach(i -> one.acquire(LockRequest.of("x", i)));
        assertThat(names(other.list("x.*"))).doesNotHaveDuplicates().hasSize(50);
        redis.resetStats();
        Stream<LockState> stream = other.list("x.*");
        assertThat(redis.commandStats()).as("asks when it is read").doesNotContainKey("scan");
        Iterator<LockState> states = stream.iterator();
        assertThat(states.next().isLocked()).isTrue();
        assertThat(redis.commandStats().get("scan")).as("not all").isLessThan(5L);
        stream.close();
        while (states.hasNext()) {
            states.next();
        }
        assertThat(redis.commandStats().get("scan")).isLessThan(6L);
    }

    @Test
    void redisThatDoesNotAnswerIsAnErrorInTime() {
        LockTemplate quick = fleet.start(builder -> builder.commandTimeout(Duration.ofMillis(200)));
        Lease lease = one.acquire(REQUEST);
        redis.command("CLIENT", "PAUSE", "1500", "ALL");
        long asked = System.nanoTime();
        assertEndsInTime(() -> quick.inspect(REQUEST));
        assertEndsInTime(() -> quick.isLocked(REQUEST));
        assertEndsInTime(() -> quick.forceRelease(LockRequest.of("y")));
        assertEndsInTime(() -> quick.list("x.*").count());
        assertThat(Duration.ofNanos(System.nanoTime() - asked))
                .as("200 ms for each")
                .isLessThan(Duration.ofSeconds(4));
        assertThat(lease.release()).isTrue();
    }

    private static void assertEndsInTime(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("did not answer within 200 ms");
    }
}
