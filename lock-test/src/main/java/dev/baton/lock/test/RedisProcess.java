package dev.baton.lock.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One run of a redis-server: from a start that has been answered to its end by SIGKILL. */
final class RedisProcess {

    static final String HOST = "127.0.0.1";

    private static final Duration START_BOUND = Duration.ofSeconds(10);
    private static final Duration PING_BOUND = Duration.ofSeconds(1);
    private static final int PORT_ATTEMPTS = 10;
    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 32_000;
    private static final String PORT_TAKEN = "Address already in use";

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final Set<RedisProcess> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(RedisProcess::endAll, "test-redis-end"));
    }

    private final Process process;
    private final int port;
    private final Path log;

    private RedisProcess(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Starts on a free port; a port that another process takes in the meantime is replaced. */
    static RedisProcess startOnFreePort(List<String> settings) {
        for (int attempt = 1; attempt < PORT_ATTEMPTS; attempt++) {
            try {
                return start(freePort(), settings);
            } catch (PortTakenException ex) {
                // somebody was quicker: the next free port
                continue;
            }
        }
        return start(freePort(), settings);
    }

    /** Starts on this port and returns when the server answers. */
    static RedisProcess start(int port, List<String> settings) {
        RedisProcess started = launch(port, settings);
        LIVE.add(started);
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

    /** SIGKILL, also to a stopped server; returns when the process is gone. */
    void kill() {
        process.destroyForcibly();
        boolean ended = Interrupts.later(() -> process.waitFor(START_BOUND.toMillis(), TimeUnit.MILLISECONDS));
        if (!ended) {
            throw new IllegalStateException(
                    "redis-server " + pid() + " did not end within " + START_BOUND + " of SIGKILL");
        }
        LIVE.remove(this);
    }

    /** Sends a signal, for example {@code STOP}. */
    void signal(String name) {
        Signals.send(name, pid());
    }

    private static RedisProcess launch(int port, List<String> settings) {
        try {
            Path directory = Files.createDirectory(RedisExecutable.scratch().resolve("run-" + RUNS.incrementAndGet()));
            Path log = directory.resolve("redis.log");
            Process process = new ProcessBuilder(RedisExecutable.path().toString(), "-")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            RedisProcess launched = new RedisProcess(process, port, log);
            launched.configure(settings);
            return launched;
        } catch (IOException ex) {
            throw new UncheckedIOException("Could not start " + RedisExecutable.path(), ex);
        }
    }

    // the configuration goes in by stdin: the settings are lines of redis.conf, nothing has to be quoted for a shell
    private void configure(List<String> settings) {
        String fixed = "bind %s\nport %d\nsave \"\"\nappendonly no\ndaemonize no\n".formatted(HOST, port);
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

    // asks for the pid as well: another Redis may have taken the port
    private boolean answers() {
        if (!process.isAlive()) {
            return false;
        }
        try (RespConnection connection = RespConnection.open(HOST, port, PING_BOUND)) {
            return String.valueOf(connection.command("INFO", "server")).contains("process_id:" + pid() + "\r\n");
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    // below the range that outgoing connections use: a client that reconnects to a stopped server's port in that range
    // can
    // be connected to itself, and then the server cannot come back
    private static int freePort() {
        for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
            try (ServerSocket socket = new ServerSocket(candidate, 1, InetAddress.getByName(HOST))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // the next one
                continue;
            }
        }
        throw new IllegalStateException(PORT_ATTEMPTS + " ports of " + HOST + ", all taken");
    }

    private static void endAll() {
        LIVE.forEach(running -> running.process.destroyForcibly());
        try {
            RedisExecutable.deleteScratch();
        } catch (IOException ex) {
            System.err.println("Could not remove " + RedisExecutable.scratch() + ": " + ex);
        }
    }

    private static final class PortTakenException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        PortTakenException(int port) {
            super("Port " + port + " of " + HOST + " was taken by another process");
        }
    }
}
