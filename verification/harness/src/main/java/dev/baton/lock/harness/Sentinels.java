package dev.baton.lock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;

/** A sentinel that monitors a master and its replica, and promotes the replica when the master is gone. */
public final class Sentinels implements AutoCloseable {

    /** The name of the monitored master. */
    public static final String MASTER = "locks";

    private static final String TROUBLE = ".*(down|disconnected|failover|promoted|reconf).*";

    private final Process process;
    private final RedisView view;

    /** Starts a sentinel that decides alone. Returns when the sentinel knows the master and a replica. */
    public Sentinels(TestRedis master) throws IOException {
        this(master, 1, 2_000, 5_000);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> !list("REPLICAS").isEmpty());
    }

    /**
     * Starts several sentinels, of which the greater part decides. Returns when they know each other, the master and its
     * replicas.
     */
    public static List<Sentinels> start(TestRedis master, int number, int replicas) throws IOException {
        List<Sentinels> sentinels = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            sentinels.add(new Sentinels(master, number / 2 + 1, 1_000, 2_000));
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> sentinels.stream()
                        .allMatch(sentinel -> sentinel.list("REPLICAS").size() == replicas
                                && sentinel.list("SENTINELS").size() == number - 1));
        return sentinels;
    }

    private Sentinels(TestRedis master, int quorum, int downMillis, int failoverMillis) throws IOException {
        int port = Loopback.freePort();
        Path directory = Files.createTempDirectory(RedisExecutable.scratch(), "sentinel");
        // the sentinel writes its state into its configuration
        Path settings = Files.writeString(directory.resolve("sentinel.conf"), """
                bind %1$s
                port %2$d
                sentinel monitor %3$s %4$s %5$d %6$d
                sentinel down-after-milliseconds %3$s %7$d
                sentinel failover-timeout %3$s %8$d
                """.formatted(
                        Loopback.HOST, port, MASTER, master.host(), master.port(), quorum, downMillis, failoverMillis));
        process = ChildProcesses.start(
                new ProcessBuilder(RedisExecutable.path().toString(), settings.toString(), "--sentinel")
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("sentinel.log").toFile()));
        view = new RedisView(Loopback.HOST, port);
    }

    /** Lets a replica take the place of the master, which runs. Returns at once. */
    public void failOver() {
        view.command("SENTINEL", "FAILOVER", MASTER);
    }

    public int port() {
        return view.port();
    }

    /** Returns the current address of the master, as reported to clients. */
    public int masterPort() {
        return Integer.parseInt(String.valueOf(list("GET-MASTER-ADDR-BY-NAME").get(1)));
    }

    /** Returns whether the sentinel finds the master and all of its replicas in order, and no failover under way. */
    public boolean isCalm() {
        return !flags(list("MASTER")).matches(TROUBLE)
                && list("REPLICAS").stream()
                        .noneMatch(replica -> flags((List<?>) replica).matches(TROUBLE));
    }

    /** Returns the flags of a server, as {@code SENTINEL} reports it: names and values in turn. */
    private static String flags(List<?> server) {
        return String.valueOf(server.get(server.indexOf("flags") + 1));
    }

    private List<?> list(String question) {
        return (List<?>) Objects.requireNonNull(view.command("SENTINEL", question, MASTER));
    }

    @Override
    public void close() {
        ChildProcesses.kill(process);
    }
}
