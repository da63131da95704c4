package dev.baton.lock.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A client of a {@link TcpProxy} and its connection to Redis, with one thread per direction. */
final class ProxiedConnection {

    private static final int CONNECT_MILLIS = 2000;
    private static final Pattern SUBSCRIBE = Pattern.compile("(?i)\\*\\d+\r\n\\$\\d+\r\nP?SUBSCRIBE\r\n");

    private final TcpProxy proxy;
    private final Socket client;
    private final Socket server = new Socket();
    private final Consumer<ProxiedConnection> onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    // written by the thread that reads requests
    private volatile boolean subscriber;

    ProxiedConnection(TcpProxy proxy, Socket client, Consumer<ProxiedConnection> onClose) {
        this.proxy = proxy;
        this.client = client;
        this.onClose = onClose;
    }

    /** Connects to Redis. If connecting fails, the client connection is closed, as by a proxy without a server. */
    void start(SocketAddress target) {
        try {
            server.connect(target, CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException unreachable) {
            close();
            return;
        }
        TcpProxy.daemon("proxy-requests-" + client.getPort(), () -> pass(client, server, new Requests()));
        TcpProxy.daemon("proxy-replies-" + client.getPort(), () -> pass(server, client, new Replies()));
    }

    boolean isSubscriber() {
        return subscriber;
    }

    /** Closes both ends, whose threads then end. Returns {@code false} if the connection was already closed. */
    boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        onClose.accept(this);
        closeQuietly(client);
        closeQuietly(server);
        return true;
    }

    private void pass(Socket from, Socket to, Direction direction) {
        byte[] buffer = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (direction.passes(buffer, length)) {
                    Thread.sleep(proxy.delay().toMillis());
                    int left = direction.left(length);
                    out.write(buffer, 0, left < 0 ? length : left);
                    if (left >= 0) {
                        return;
                    }
                }
            }
        } catch (IOException broken) {
            // one end has closed, so the other is closed too
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Decides about each piece of data that was read; used by one thread. */
    private interface Direction {
        boolean passes(byte[] bytes, int length);

        /**
         * Returns how many of these bytes may pass before the connection is cut; negative if all pass without a cut.
         */
        default int left(int length) {
            return -1;
        }
    }

    private final class Requests implements Direction {

        private boolean lost;

        @Override
        public boolean passes(byte[] bytes, int length) {
            if (SUBSCRIBE
                    .matcher(new String(bytes, 0, length, StandardCharsets.ISO_8859_1))
                    .find()) {
                subscriber = true;
            }
            lost |= switch (proxy.traffic()) {
                case SWALLOW, SWALLOW_REQUESTS -> true;
                case FORWARD, SWALLOW_REPLIES, SWALLOW_MESSAGES -> false;
            };
            return !lost;
        }
    }

    private final class Replies implements Direction {

        private boolean lost;

        @Override
        public boolean passes(byte[] bytes, int length) {
            TcpProxy.Traffic traffic = proxy.traffic();
            lost |= switch (traffic) {
                case SWALLOW, SWALLOW_REPLIES -> true;
                case FORWARD, SWALLOW_REQUESTS, SWALLOW_MESSAGES -> false;
            };
            return !lost && !(traffic == TcpProxy.Traffic.SWALLOW_MESSAGES && subscriber);
        }

        @Override
        public int left(int length) {
            return subscriber ? -1 : proxy.answerLeft(length);
        }
    }
}
