package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.harness.JavaProcess;
import dev.baton.lock.harness.TestRedis;
import dev.baton.sample.SampleApplication;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

/** Tests two processes of the sample after ahead-of-time processing by the build. */
@Tag("once")
class AotTests {

    private static final Duration START = Duration.ofMinutes(2);
    private static final String ADDRESS = "Fleet manager at ";

    @Test
    void deploymentsOfTwoProcessesToOneServerFollowEachOther() {
        try (TestRedis redis = TestRedis.start();
                JavaProcess left = start(redis);
                JavaProcess right = start(redis)) {
            FleetClient first = client(left);
            FleetClient second = client(right);
            // the first request of a process is slow
            assertThat(second.get("/servers/42").join().status()).isEqualTo(200);
            CompletableFuture<FleetClient.Answer> before = first.post("/servers/42/deploy?version=1.1");
            await().until(() -> redis.keys().stream().anyMatch(key -> key.startsWith("lock:lock:")));
            assertThat(second.post("/servers/42/reboot").join().status())
                    .as("a reboot does not wait")
                    .isEqualTo(409);
            FleetClient.Answer after =
                    second.post("/servers/42/deploy?version=1.2").join();

            assertThat(before.join().status()).isEqualTo(200);
            assertThat(after.status()).isEqualTo(200);
            assertThat(after.body().path("waitedMillis").asLong()).isPositive();
            assertThat(after.body().path("fencingToken").asLong())
                    .isGreaterThan(before.join().body().path("fencingToken").asLong());
            assertSeenFromOutside(second);
            assertThat(second.post("/accounts/transfer?from=alice&to=bob&amount=10")
                            .join()
                            .status())
                    .isEqualTo(200);
        }
    }

    /** Tests beans whose configurations were selected during the ahead-of-time processing. */
    private static void assertSeenFromOutside(FleetClient process) {
        // the first request is slow, and the second must finish before the deployment
        List.of("/actuator/locks", "/baton/api/locks", "/actuator/health/locks")
                .forEach(path ->
                        assertThat(process.get(path).join().status()).as(path).isEqualTo(200));
        CompletableFuture<FleetClient.Answer> deploying = process.post("/servers/7/deploy?version=1.1");
        await().untilAsserted(() -> {
            FleetClient.Answer locks = process.get("/actuator/locks").join();
            assertThat(locks.status()).as(locks.toString()).isEqualTo(200);
            assertThat(locks.body().path("held").path(0).path("locks").path(0).asString())
                    .isEqualTo("server_access.7");
        });
        // the board caches an answer for a while, so it may be outdated
        await().untilAsserted(() -> {
            FleetClient.Answer board = process.get("/baton/api/locks").join();
            assertThat(board.status()).as("the board").isEqualTo(200);
            assertThat(board.body().path("locks").path(0).path("name").asString())
                    .isEqualTo("server_access.7");
        });
        FleetClient.Answer health = process.get("/actuator/health/locks").join();
        assertThat(health.status()).as(health.toString()).isEqualTo(200);
        assertThat(health.body().path("status").asString()).isEqualTo("UP");
        assertThat(health.body().path("details").path("listening").asBoolean()).isTrue();
        assertThat(deploying.join().status()).isEqualTo(200);
        FleetClient.Answer info = process.get("/actuator/info").join();
        assertThat(info.body().path("locks").path("lockedMethods").asInt())
                .as(info.toString())
                .isEqualTo(3);
        FleetClient.Answer meter = process.get("/actuator/metrics/baton.hold?tag=scope:server_access")
                .join();
        assertThat(meter.status()).as(meter.toString()).isEqualTo(200);
        assertThat(meter.body().path("measurements").path(0).path("value").asLong())
                .isPositive();
        assertThat(process.get("/actuator/metrics/baton.lock").join().status())
                .as("observations")
                .isEqualTo(200);
    }

    private static JavaProcess start(TestRedis redis) {
        return JavaProcess.start(
                List.of("-Dspring.aot.enabled=true"),
                SampleApplication.class,
                "--server.port=0",
                "--fleet.deploy-time=5s",
                "--spring.data.redis.host=" + redis.host(),
                "--spring.data.redis.port=" + redis.port());
    }

    private static FleetClient client(JavaProcess process) {
        String address = process.awaitLine(ADDRESS, START).substring(ADDRESS.length());
        assertThat(process.lines()).anyMatch(line -> line.contains("AOT-processed"));
        return new FleetClient(new MockEnvironment()
                .withProperty(
                        "local.server.port", String.valueOf(URI.create(address).getPort())));
    }
}
