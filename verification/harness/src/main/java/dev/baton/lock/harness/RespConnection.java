package dev.baton.lock.harness;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to Redis that speaks just enough RESP2 to inspect a server without the library under test.
 *
 * <p>Replies are a {@link String} (status or bulk, read as UTF-8), a {@link Long}, a {@link List} of replies, or
 * {@code null}. An error reply is thrown as {@link RedisErrorException}; inside a list, the exception is an element. A
 * connection that cannot be opened, breaks, or stays silent longer than its timeout throws {@link UncheckedIOException}
 * and cannot be used further.
 *
 * <p>For one thread at a time; any thread may call {@link #close()}, which ends a wait in progress.
 */
public final class RespConnection implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Opens a connection.
     *
     * @param host the host to connect to
     * @param port the port to connect to
     * @param timeout the maximum time to connect, and for each later read; at least 1 ms
     */
    public static RespConnection open(String host, int port, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(host, port), millis);
            return new RespConnection(socket);
        } catch (IOException ex) {
            closeAfter(ex, socket);
            throw new UncheckedIOException("No connection to Redis at " + host + ":" + port, ex);
        }
    }

    /** Returns the port by which Redis knows this connection, or -1 once the connection is closed. */
    int localPort() {
        return socket.getLocalPort();
    }

    /** Sends one command and returns its reply. */
    public @Nullable Object command(String... args) {
        send(args);
        return read();
    }

    /** Sends one command without waiting for the reply, as for {@code SUBSCRIBE} and {@code MONITOR}. */
    public void send(String... args) {
        try {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.writeBytes(ascii("*" + args.length + "\r\n"));
            for (String arg : args) {
                byte[] bytes = arg.getBytes(StandardCharsets.UTF_8);
                frame.writeBytes(ascii("$" + bytes.length + "\r\n"));
                frame.writeBytes(bytes);
                frame.writeBytes(ascii("\r\n"));
            }
            socket.getOutputStream().write(frame.toByteArray());
        } catch (IOException ex) {
            throw new UncheckedIOException("Could not send " + args[0] + " to " + socket, ex);
        }
    }

    /** Returns the next reply or message; waits up to the timeout. */
    public @Nullable Object read() {
        Object reply;
        try {
            reply = parse();
        } catch (IOException ex) {
            throw new UncheckedIOException("No reply from " + socket, ex);
        }
        if (reply instanceof RedisErrorException error) {
            throw error;
        }
        return reply;
    }

    /** Returns the next reply or message; waits up to the given time, at least 1 ms, instead of the timeout. */
    public @Nullable Object read(Duration within) {
        try {
            int timeout = socket.getSoTimeout();
            socket.setSoTimeout(Math.toIntExact(within.toMillis()));
            try {
                return read();
            } finally {
                socket.setSoTimeout(timeout);
            }
        } catch (SocketException ex) {
            throw new UncheckedIOException("No reply from " + socket, ex);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private @Nullable Object parse() throws IOException {
        String line = readLine();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new RedisErrorException(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("Not a RESP2 reply: " + line);
        };
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || in.readNBytes(2).length < 2) {
            throw new EOFException("Connection closed within a reply of " + length + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> list(int size) throws IOException {
        if (size < 0) {
            return null;
        }
        List<@Nullable Object> elements = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            elements.add(parse());
        }
        return elements;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("Connection closed");
            }
            line.write(b);
        }
        if (in.read() != '\n' || line.size() == 0) {
            throw new IOException("Not a line of RESP2: '" + line + "'");
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void closeAfter(IOException ex, Socket socket) {
        try {
            socket.close();
        } catch (IOException onClose) {
            ex.addSuppressed(onClose);
        }
    }
}
