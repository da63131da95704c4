package dev.baton.sample.embedded;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.SpringApplication;
import redis.embedded.RedisServer;

/**
 * A redis-server on a free port of the loopback address, ended by {@link #close()}, at the latest when all applications of this
 * process have ended.
 *
 * <p>The process is started here and not by {@link RedisServer#start()}. That one would end it in a shutdown hook of its own, beside
 * the applications, whose locks could not be released any more. That holds if this process alone is told to end: a terminal sends
 * its interrupt to Redis as well.
 */
public final class EmbeddedRedis implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int ATTEMPTS = 3;
    private static final int START_SECONDS = 10;
    private static final int END_SECONDS = 5;
    private static final String READY = "eady to accept connections";

    private static final Set<EmbeddedRedis> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        // Spring Boot runs these after the last application context is closed
        SpringApplication.getShutdownHandlers().add(() -> RUNNING.forEach(EmbeddedRedis::close));
    }

    private final Process process;
    private final int port;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private EmbeddedRedis(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts one and waits until it is ready, a few tenths of a second.
     *
     * @throws IllegalStateException if it cannot be started here
     */
    public static EmbeddedRedis start() {
        IOException last = new IOException();
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                return start(freePort());
            } catch (IOException ex) {
                last = ex; // another process may have taken the port meanwhile
            }
        }
        throw new IllegalStateException(
                "no Redis is configured, and the embedded one did not start (" + last.getMessage()
                        + "); start a Redis and name it with --spring.data.redis.host and --spring.data.redis.port",
                last);
    }

    private static EmbeddedRedis start(int port) throws IOException {
        List<String> command = RedisServer.newRedisServer()
                .bind(HOST)
                .port(port)
                .setting("save \"\"")
                .buildCommandArgs();
        Process process = new ProcessBuilder(command)
                .directory(new File(command.get(0)).getParentFile())
                .redirectErrorStream(true)
                .start();
        EmbeddedRedis redis = new EmbeddedRedis(process, port);
        RUNNING.add(redis);
        Thread reader = new Thread(redis::follow, "embedded-redis");
        reader.setDaemon(true);
        reader.start();
        try {
            redis.awaitReady();
            return redis;
        } catch (IOException ex) {
            redis.close();
            throw ex;
        }
    }

    /** Reads to the end, or the server would wait for room in the pipe. */
    private void follow() {
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.contains(READY)) {
                    ready.complete(null);
                } else if (!ready.isDone()) {
                    lines.add(line);
                }
            }
        } catch (IOException ex) {
            lines.add(ex.toString());
        }
        ready.completeExceptionally(new IOException("redis-server ended: " + String.join("; ", lines)));
    }

    private void awaitReady() throws IOException {
        try {
            ready.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException ex) {
            throw new IOException(Objects.requireNonNull(ex.getCause()).getMessage(), ex);
        } catch (TimeoutException ex) {
            throw new IOException("redis-server was not ready within " + START_SECONDS + " s", ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while redis-server started", ex);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        }
    }

    public String host() {
        return HOST;
    }

    public int port() {
        return port;
    }

    /** Returns when the server has ended. */
    @Override
    public void close() {
        RUNNING.remove(this);
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
