package dev.baton.lock.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** The addresses on which tests listen. */
final class Loopback {

    static final String HOST = "127.0.0.1";

    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 32_000;
    private static final int ATTEMPTS = 20;

    private Loopback() {}

    /**
     * A port that was free a moment ago. It is below the range that outgoing connections use: a client that reconnects to the
     * port of a stopped server can be connected to itself there, and then the server cannot come back.
     */
    static int freePort() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
            try (ServerSocket socket = new ServerSocket(candidate, 1, InetAddress.getByName(HOST))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // the next one
                continue;
            }
        }
        throw new IllegalStateException("Tried " + ATTEMPTS + " ports of " + HOST + ", all are taken");
    }
}
