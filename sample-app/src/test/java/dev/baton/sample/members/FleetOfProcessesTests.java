package dev.baton.sample.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("once")
class FleetOfProcessesTests {

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(40);
    private static final Pattern ACQUISITIONS = Pattern.compile("[1-9]\\d* acquisitions");

    @Test
    void threeInstancesContendWithoutOverlapsAndEndWhenTheFirstIsKilled() throws IOException {
        try (Fleet fleet = Fleet.start(
                        "--fleet=3",
                        "--fleet.deploy-time=80ms",
                        "--fleet.reboot-time=40ms",
                        "--fleet.traffic.per-second=20",
                        "--fleet.traffic.servers=3")
                .awaitUp(3)) {
            assertThat(fleet.get("/")).contains("<title>Fleet manager</title>", "id=\"instances\"", "id=\"timeline\"");
            List<ProcessHandle> processes = fleet.processes();
            assertThat(processes).doesNotHaveDuplicates().hasSize(3);
            await("one instance waits for another")
                    .atMost(END)
                    .until(() -> fleet.fleet().path("locks").valueStream().anyMatch(FleetOfProcessesTests::contended));
            await("all have acted").atMost(END).until(() -> actors(fleet.fleet()), Set.of(1, 2, 3)::equals);
            await("a hundred acts")
                    .atMost(END)
                    .until(() -> fleet.fleet().path("acts").size() >= 100);
            JsonNode view = fleet.fleet();
            assertThat(view.path("overlaps").asLong()).isZero();
            assertThat(view.path("redisError").isNull()).isTrue();
            processes.get(2).destroyForcibly();
            await("shown as down").atMost(END).until(() -> error(fleet, 3).startsWith("nothing listens on port "));
            assertThat(error(fleet, 2)).isEmpty();
            await("said so").atMost(END).until(() -> fleet.output().contains("[instance 3] has ended: exit code 137"));
            int redis = fleet.redisPort();
            assertThat(listens(redis)).isTrue();
            fleet.end(false);
            awaitEnd(processes, redis);
        }
    }

    @Test
    @Tag("nightly")
    void instancesStopWithTheFirst() throws IOException {
        try (Fleet fleet =
                Fleet.start("--fleet=2", "--fleet.traffic.per-second=0").awaitUp(2)) {
            List<ProcessHandle> processes = fleet.processes();
            fleet.end(true);
            awaitEnd(processes, fleet.redisPort());
        }
    }

    @Test
    @Tag("nightly")
    void stopIsQuietWhileLocksAreHeldAndASimulationRuns() throws IOException {
        try (Fleet fleet = Fleet.start(
                        "--fleet=2",
                        "--fleet.deploy-time=1s",
                        "--fleet.reboot-time=1s",
                        "--fleet.traffic.per-second=20",
                        "--fleet.traffic.servers=3",
                        "--baton.log.slow-wait=0s")
                .awaitUp(2)) {
            fleet.post("/simulate?processes=2&threads=2&seconds=60");
            await("the simulation runs")
                    .atMost(START)
                    .until(() -> fleet.get("/simulate").contains("\"RUNNING\""));
            await("one instance waits for another")
                    .atMost(END)
                    .until(() -> fleet.fleet().path("locks").valueStream().anyMatch(FleetOfProcessesTests::contended));
            List<ProcessHandle> processes = fleet.processes();
            assertThat(fleet.outputOfTheEnd()).noneMatch(FleetOfProcessesTests::isComplaint);
            awaitEnd(processes, fleet.redisPort());
        }
    }

    @Test
    void stopOfASimulationAtTheTerminalIsQuiet() throws IOException {
        try (Fleet simulation =
                Fleet.start("--simulate", "--processes=2", "--threads=2", "--seconds=60", "--baton.log.slow-wait=0s")) {
            await("the simulation runs")
                    .atMost(START)
                    .until(() -> simulation.output().stream()
                            .anyMatch(line -> ACQUISITIONS.matcher(line).find()));
            assertThat(simulation.outputOfTheEnd()).noneMatch(FleetOfProcessesTests::isComplaint);
            await("Redis ended").atMost(END).until(() -> !listens(simulation.redisPort()));
        }
    }

    /** Returns whether a line of the log reports a problem, for example a lost connection of Lettuce. */
    private static boolean isComplaint(String line) {
        return line.contains(" WARN ")
                || line.contains(" ERROR ")
                || line.contains("econnect")
                || line.contains("Exception");
    }

    private static void awaitEnd(List<ProcessHandle> processes, int redis) {
        await("all instances ended").atMost(END).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        await("Redis ended").atMost(END).until(() -> !listens(redis));
    }

    /** Returns the error of an instance, or an empty text if the instance is up. */
    private static String error(Fleet fleet, int number) {
        return fleet.fleet().path("instances").path(number - 1).path("error").asString("");
    }

    private static boolean contended(JsonNode lock) {
        int holder = lock.path("holder").path("instance").asInt();
        return holder > 0
                && lock.path("waiters")
                        .valueStream()
                        .anyMatch(waiter -> waiter.path("instance").asInt() != holder);
    }

    private static Set<Integer> actors(JsonNode fleet) {
        return fleet.path("acts")
                .valueStream()
                .map(act -> act.path("instance").asInt())
                .collect(Collectors.toSet());
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException ex) {
            return false;
        }
    }
}
