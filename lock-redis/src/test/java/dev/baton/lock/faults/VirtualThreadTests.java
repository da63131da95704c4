package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Tests that waiting virtual threads do not block their carrier thread. */
@EnabledForJreRange(min = JRE.JAVA_21)
@Tag("jdk")
class VirtualThreadTests {

    private static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    @Test
    void tenThousandWaitersOnOneCarrierAllGetTheLock() {
        int waiters = 10_000;
        try (TestRedis redis = Backend.LETTUCE.startRedis();
                JavaProcess process = JavaProcess.start(
                        ONE_CARRIER, VirtualWaiters.class, redis.host(), "" + redis.port(), "" + waiters)) {
            assertThat(process.awaitLine("carriers ", Duration.ofSeconds(90))).isEqualTo("carriers 1");
            process.awaitLine("waiting " + waiters, Duration.ofSeconds(90));
            assertThat(process.awaitLine("turns ", Duration.ofMinutes(2))).isEqualTo("turns " + waiters);
            assertThat(process.awaitExit(Duration.ofSeconds(20))).isZero();
            assertThat(redis.lastingKeys()).isSubsetOf("lock:fence");
        }
    }
}
