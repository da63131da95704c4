package dev.baton.sample.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

@FleetContext
class FleetTests {

    @Autowired
    private FleetClient client;

    @Autowired
    private GatedServerAgent agent;

    @Autowired
    private LockOperations locks;

    @Test
    void secondDeploymentToOneServerWaitsForTheFirst() {
        CompletableFuture<FleetClient.Answer> first = client.post("/servers/one/deploy?version=1.1");
        await().until(() -> agent.isBusy("one"));
        CompletableFuture<FleetClient.Answer> second = client.post("/servers/one/deploy?version=1.2");
        await().until(() -> waiting("one") == 1);
        assertThat(second).isNotDone();
        agent.letGo("one");
        JsonNode firstBody = first.join().body();
        await().until(() -> agent.isBusy("one"));
        agent.letGo("one");
        JsonNode secondBody = second.join().body();
        assertThat(firstBody.path("version").asString()).isEqualTo("1.1");
        assertThat(secondBody.path("version").asString()).isEqualTo("1.2");
        assertThat(secondBody.path("waitedMillis").asLong()).isPositive();
        assertThat(secondBody.path("fencingToken").asLong())
                .isGreaterThan(firstBody.path("fencingToken").asLong());
        assertThat(secondBody.path("process").asLong())
                .isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void deploymentsToTwoServersDoNotWait() {
        CompletableFuture<FleetClient.Answer> first = client.post("/servers/left/deploy?version=1.1");
        CompletableFuture<FleetClient.Answer> second = client.post("/servers/right/deploy?version=1.1");
        await().until(() -> agent.isBusy("left") && agent.isBusy("right"));
        agent.letGo("left");
        agent.letGo("right");
        assertThat(first.join().status()).isEqualTo(200);
        assertThat(second.join().status()).isEqualTo(200);
    }

    @Test
    void rebootDuringADeploymentIsRefusedWithTheHolder() {
        CompletableFuture<FleetClient.Answer> deployment = client.post("/servers/busy/deploy?version=1.1");
        await().until(() -> agent.isBusy("busy"));
        FleetClient.Answer refused = client.post("/servers/busy/reboot").join();
        agent.letGo("busy");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("lock").asString()).isEqualTo("server_access.busy");
        assertThat(refused.body().path("holder").asString())
                .contains(":" + ProcessHandle.current().pid() + "/");
        assertThat(refused.body().path("remainingMillis").asLong()).isBetween(1L, 10_000L);
        assertThat(deployment.join().status()).isEqualTo(200);
    }

    @Test
    void rebootOfAFreeServerRuns() {
        agent.letGo("idle");
        FleetClient.Answer answer = client.post("/servers/idle/reboot").join();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("fencingToken").asLong()).isPositive();
    }

    @Test
    void deploymentIsShownWhileItRunsAndAfterwards() {
        CompletableFuture<FleetClient.Answer> deployment = client.post("/servers/seen/deploy?version=1.1");
        await().until(() -> agent.isBusy("seen"));
        assertThat(lastDeployment("seen").path("state").asString()).isEqualTo("RUNNING");
        agent.letGo("seen");
        long token = deployment.join().body().path("fencingToken").asLong();
        JsonNode done = lastDeployment("seen");
        assertThat(done.path("state").asString()).isEqualTo("DONE");
        assertThat(done.path("version").asString()).isEqualTo("1.1");
        assertThat(done.path("fencingToken").asLong()).isEqualTo(token);
    }

    @Test
    void blankServerIsRefused() {
        FleetClient.Answer answer =
                client.post("/servers/%20/deploy?version=1.1").join();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("detail").asString()).contains("#serverId", "blank");
    }

    private JsonNode lastDeployment(String server) {
        return client.get("/servers/" + server)
                .join()
                .body()
                .path("deployments")
                .path(0);
    }

    private long waiting(String server) {
        return locks.inspect(LockRequest.of("server_access", server)).waiting();
    }
}
