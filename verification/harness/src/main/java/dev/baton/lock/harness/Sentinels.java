package dev.baton.lock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;

/** A sentinel that looks after a master and its replica, and makes the replica the master when that is gone. */
public final class Sentinels implements AutoCloseable {

    /** What the sentinel calls the two. */
    public static final String MASTER = "locks";

    private final Process process;
    private final RedisView view;

    /** Returns when the sentinel knows both. */
    public Sentinels(TestRedis master) throws IOException {
        int port = Loopback.freePort();
        Path directory = Files.createTempDirectory(RedisExecutable.scratch(), "sentinel");
        // it writes what it learns into its configuration
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

    /** Where the master is now, as clients are told. */
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
