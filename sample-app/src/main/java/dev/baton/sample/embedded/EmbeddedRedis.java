package dev.baton.sample.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import redis.embedded.RedisServer;

/** A redis-server on a free port of the loopback address, ended by {@link #close()}, at the latest when this process ends. */
public final class EmbeddedRedis implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int ATTEMPTS = 3;

    private final RedisServer server;
    private final int port;

    private EmbeddedRedis(RedisServer server, int port) {
        this.server = server;
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
        RedisServer server = RedisServer.newRedisServer()
                .bind(HOST)
                .port(port)
                .setting("save \"\"")
                .build();
        server.start();
        return new EmbeddedRedis(server, port);
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

    @Override
    public void close() {
        try {
            server.stop();
        } catch (IOException ex) {
            throw new UncheckedIOException("the embedded Redis on port " + port + " could not be ended", ex);
        }
    }
}
