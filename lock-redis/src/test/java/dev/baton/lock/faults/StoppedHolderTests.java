package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests a process that pauses for longer than its leases, as in a long garbage collection, and resumes. */
class StoppedHolderTests {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void resumedHolderKnowsAtOnceThatAnotherProcessHoldsTheLock() {
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                OtherJvm stopped = OtherJvm.start(redis, LEASE);
                Engine other = Engine.start(redis.host(), redis.port(), builder -> {})) {
            stopped.awaitReady();
            stopped.acquire("limited", "x", LEASE);
            stopped.acquire("renewed", "y", Duration.ZERO);
            long limited = Long.parseLong(stopped.event("granted", "limited").detail());
            long renewed = Long.parseLong(stopped.event("granted", "renewed").detail());
            stopped.stop();
            Lease x = other.locks().acquire(LockRequest.of("x").expire(LONG));
            Lease y = other.locks().acquire(LockRequest.of("y").expire(LONG));
            for (String command : new String[] {"held limited", "held renewed", "close limited", "close renewed"}) {
                stopped.tell(command);
            }
            stopped.goOn();
            for (String tag : new String[] {"limited", "renewed"}) {
                assertThat(stopped.event("held", tag).detail()).isEqualTo("false");
                assertThat(stopped.event("closed", tag).detail()).isEqualTo("LockLostException");
                stopped.event("lost", tag);
            }
            assertThat(x.fencingToken()).isGreaterThan(limited);
            assertThat(y.fencingToken()).isGreaterThan(renewed);
            assertUntouched(redis, x);
            assertUntouched(redis, y);
        }
    }

    private static void assertUntouched(TestRedis redis, Lease lease) {
        String key = lease.redisKeys().get(0);
        assertThat(String.valueOf(redis.command("GET", key))).contains(" " + lease.fencingToken() + " ");
        assertThat(redis.ttl(key)).isBetween(LONG.minusSeconds(8).toMillis(), LONG.toMillis());
        assertThat(lease.release()).isTrue();
    }
}
