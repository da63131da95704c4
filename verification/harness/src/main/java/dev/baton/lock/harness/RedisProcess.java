package dev.baton.lock.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A run of a redis-server, from its first answer to its end by SIGKILL. */
final class RedisProcess {

    private static final Duration START_BOUND = Duration.ofSeconds(10);
    private static final Duration PING_BOUND = Duration.ofSeconds(1);
    private static final int PORT_ATTEMPTS = 10;
    private static final String PORT_TAKEN = "Address already in use";

    private static final AtomicInteger RUNS = new AtomicInteger();

    private final Process process;
    private final int port;
    private final Path log;

    private RedisProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Starts a server on a free port. If another process takes the port in the meantime, tries another port. */
    static RedisProcess startOnFreePort(List<String> settings) {
        for (int attempt = 1; attempt < PORT_ATTEMPTS; attempt++) {
            try {
                return start(Loopback.freePort(), settings);
            } catch (PortTakenException ex) {
                // another process took the port: try the next free port
                continue;
            }
        }
        return start(Loopback.freePort(), settings);
    }

    /** Starts a server on this port and returns when the server answers. */
    static RedisProcess start(int port, List<String> settings) {
        RedisProcess started = launch(port, settings);
        try {
            started.awaitAnswer();
            return started;
        } catch (RuntimeException ex) {
            started.kill();
            throw ex;
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() {
        try {
            return Files.readString(log);
        } catch (IOException ex) {
            throw new UncheckedIOException("The output of redis-server is gone", ex);
        }
    }

    /** Sends SIGKILL, also to a stopped server, and returns when the process has ended. */
    void kill() {
        ChildProcesses.kill(process);
    }

    void pause() {
        Signals.stop(pid());
    }

    void resume() {
        Signals.resume(pid());
    }

    private static RedisProcess launch(int port, List<String> settings) {
        try {
            Path directory = Files.createDirectory(RedisExecutable.scratch().resolve("run-" + RUNS.incrementAndGet()));
            Path log = directory.resolve("redis.log");
            Process process = ChildProcesses.start(
                    new ProcessBuilder(RedisExecutable.path().toString(), "-")
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile()));
            RedisProcess launched = new RedisProcess(process, port, log);
            launched.configure(settings);
            return launched;
        } catch (IOException ex) {
            throw new UncheckedIOException("Could not start " + RedisExecutable.path(), ex);
        }
    }

    // sends the configuration by stdin: the settings are lines of redis.conf, so nothing has to be quoted for a shell
    private void configure(List<String> settings) {
        String fixed = "bind %s\nport %d\nsave \"\"\nappendonly no\ndaemonize no\n".formatted(Loopback.HOST, port);
        String lines = fixed + String.join("\n", settings) + "\n";
        try (var stdin = process.getOutputStream()) {
            stdin.write(lines.getBytes(StandardCharsets.UTF_8));
        } catch (IOException ex) {
            kill();
            throw new UncheckedIOException("redis-server did not take its configuration: " + output(), ex);
        }
    }

    private void awaitAnswer() {
        long start = System.nanoTime();
        while (!answers()) {
            if (!process.isAlive()) {
                String output = output();
                throw output.contains(PORT_TAKEN)
                        ? new PortTakenException(port)
                        : new IllegalStateException("redis-server ended with " + process.exitValue() + ":\n" + output);
            }
            if (System.nanoTime() - start > START_BOUND.toNanos()) {
                throw new IllegalStateException("redis-server does not answer after " + START_BOUND + ":\n" + output());
            }
            Interrupts.later(() -> process.waitFor(10, TimeUnit.MILLISECONDS));
        }
    }

    // also checks the pid: another Redis may have taken the port
    private boolean answers() {
        if (!process.isAlive()) {
            return false;
        }
        try (RespConnection connection = RespConnection.open(Loopback.HOST, port, PING_BOUND)) {
            return String.valueOf(connection.command("INFO", "server")).contains("process_id:" + pid() + "\r\n");
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    private static final class PortTakenException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        PortTakenException(int port) {
            super("Port " + port + " of " + Loopback.HOST + " was taken by another process");
        }
    }
}
