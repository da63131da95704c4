package dev.baton.lock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;

/** A sentinel that monitors a master and its replica, and promotes the replica when the master is gone. */
public final class Sentinels implements AutoCloseable {

    /** The name of the monitored master. */
    public static final String MASTER = "locks";

    private final Process process;
    private final RedisView view;

    /** Starts a sentinel. Returns when the sentinel knows the master and the replica. */
    public Sentinels(TestRedis master) throws IOException {
        int port = Loopback.freePort();
        Path directory = Files.createTempDirectory(RedisExecutable.scratch(), "sentinel");
        // the sentinel writes its state into its configuration
        Path settings = Files.writeString(directory.resolve("sentinel.conf"), """
                bind %1$s
                port %2$d
                sentinel monitor %3$s %4$s %5$d 1
                sentinel down-after-milliseconds %3$s 2000
                sentinel failover-timeout %3$s 5000
                """.formatted(
                        Loopback.HOST, port, MASTER, master.host(), master.port()));
        process = ChildProcesses.start(
                new ProcessBuilder(RedisExecutable.path().toString(), settings.toString(), "--sentinel")
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("sentinel.log").toFile()));
        view = new RedisView(Loopback.HOST, port);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> !replicas().isEmpty());
    }

    private List<?> replicas() {
        return list("REPLICAS");
    }

    public int port() {
        return view.port();
    }

    /** Returns the current address of the master, as reported to clients. */
    public int masterPort() {
        return Integer.parseInt(String.valueOf(list("GET-MASTER-ADDR-BY-NAME").get(1)));
    }

    private List<?> list(String question) {
        return (List<?>) Objects.requireNonNull(view.command("SENTINEL", question, MASTER));
    }

    @Override
    public void close() {
        ChildProcesses.kill(process);
    }
}
