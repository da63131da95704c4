package dev.baton.lock.benchmarks.comparison.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.RespConnection;
import dev.baton.lock.harness.TestRedis;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisMeterTests {

    @Test
    void trafficIsThatOfOtherClientsToTheByte() {
        try (TestRedis redis = TestRedis.start();
                RedisMeter meter = new RedisMeter(redis);
                RespConnection client = RespConnection.open(redis.host(), redis.port(), Duration.ofSeconds(10))) {
            RedisMeter.Traffic before = meter.traffic();
            meter.cpuMicros();
            meter.keyspaceEvents(true);
            assertThat(meter.traffic()).isEqualTo(before);

            // *2 $4 ECHO $5 hello, each with CRLF; the reply is $5 hello
            assertThat(client.command("ECHO", "hello")).isEqualTo("hello");

            RedisMeter.Traffic after = meter.traffic();
            assertThat(after.received() - before.received()).isEqualTo(4 + 4 + 6 + 4 + 7);
            assertThat(after.sent() - before.sent()).isEqualTo(4 + 7);
        }
    }
}
