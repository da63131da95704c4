package dev.baton.lock.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Addresses on which tests listen. */
final class Loopback {

    static final String HOST = "127.0.0.1";

    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 32_000;
    private static final int ATTEMPTS = 20;

    private Loopback() {}

    /**
     * Returns a port that was free a moment ago. The port is below the range for outgoing connections. In that range, a
     * client that reconnects to the port of a stopped server can connect to itself, and then the server cannot come
     * back.
     */
    static int freePort() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
            try (ServerSocket socket = new ServerSocket(candidate, 1, InetAddress.getByName(HOST))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // try the next port
                continue;
            }
        }
        throw new IllegalStateException("Tried " + ATTEMPTS + " ports of " + HOST + ", all are taken");
    }
}
