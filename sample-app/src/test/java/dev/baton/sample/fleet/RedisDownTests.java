package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

class RedisDownTests {

    @Test
    void applicationStartsAndAnswersThatItsLocksAreUnavailable() throws IOException {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(FleetApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.data.redis.port=" + closedPort(),
                        "--baton.wait-time=500ms",
                        "--spring.main.log-startup-info=false")) {
            FleetClient client = new FleetClient(context.getEnvironment());
            FleetClient.Answer answer =
                    client.post("/servers/42/deploy?version=1.1").join();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body().path("lock").asString()).isEqualTo("server_access.42");
            assertThat(client.get("/servers/42").join().body().path("deployments"))
                    .isEmpty();
        }
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
