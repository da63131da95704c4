package dev.baton.lock.support;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * A server that says that it is a Redis of an old version, and does nothing else. There is no such binary for every
 * platform of the tests.
 */
final class OldServer implements AutoCloseable {

    private final String version;
    private final ServerSocket server;
    private final Set<String> sent = new ConcurrentSkipListSet<>();
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    OldServer(String version) {
        this.version = version;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        daemon(this::accept);
    }

    String host() {
        return server.getInetAddress().getHostAddress();
    }

    int port() {
        return server.getLocalPort();
    }

    /** Returns the names of all commands so far, in upper case. */
    Set<String> sent() {
        return sent;
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "old-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                clients.add(client);
                daemon(() -> serve(client));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void serve(Socket client) {
        try (client) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            OutputStream out = client.getOutputStream();
            while (true) {
                out.write(reply(command(in)).getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (IOException closed) {
            // the client has left, or the test is over
        }
    }

    /** Reads one command: an array of texts. */
    private static List<String> command(DataInputStream in) throws IOException {
        int size = Integer.parseInt(line(in).substring(1));
        List<String> words = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            byte[] word = new byte[Integer.parseInt(line(in).substring(1))];
            in.readFully(word);
            line(in);
            words.add(new String(word, StandardCharsets.UTF_8));
        }
        return words;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    private String reply(List<String> command) {
        String name = command.get(0).toUpperCase(Locale.ROOT);
        sent.add(name);
        return switch (name) {
            case "HELLO" -> "-ERR unknown command `HELLO`, with args beginning with: \r\n";
            case "INFO" -> bulk("# Server\r\nredis_version:" + version + "\r\nredis_mode:standalone\r\n");
            case "PING" -> "+PONG\r\n";
            case "SUBSCRIBE" -> "*3\r\n" + bulk("subscribe") + bulk(command.get(1)) + ":1\r\n";
            default -> "+OK\r\n";
        };
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : clients) {
            client.close();
        }
    }
}
