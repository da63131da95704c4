package dev.baton.lock.benchmarks.comparison.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.harness.TestRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CommandCountTests {

    @Test
    void countsCommandsOfClientsWithoutTheirConnectionSetup() throws IOException {
        try (TestRedis redis = TestRedis.start();
                CommandCount count = CommandCount.start(redis);
                Socket client = new Socket(redis.host(), redis.port())) {
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            for (String command : new String[] {"PING", "SET x 1", "ping", "EVAL \"return redis.call('GET','x')\" 0"}) {
                client.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
                assertThat(answers.readLine()).doesNotStartWith("-");
            }

            assertThat(count.total()).isEqualTo(2);
        }
    }
}
