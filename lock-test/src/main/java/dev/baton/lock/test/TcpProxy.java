package dev.baton.lock.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A loopback TCP proxy in front of a Redis, by which a test makes the network fail. It forwards until told otherwise.
 *
 * <p>What it swallows is gone, as with a connection that broke without either end being told: a connection that has lost bytes
 * in a direction stays silent in that direction until it is cut, also after {@link #forward()}, because its requests and replies
 * no longer match. Only {@link #swallowMessages()} leaves nothing behind.
 *
 * <p>May be used by any thread. A change of mode applies to what the proxy reads after it.
 */
public final class TcpProxy implements AutoCloseable {

    /** What becomes of bytes that arrive. */
    enum Traffic {
        FORWARD,
        SWALLOW,
        SWALLOW_REQUESTS,
        SWALLOW_REPLIES,
        SWALLOW_MESSAGES
    }

    private static final Duration REFUSE_BOUND = Duration.ofSeconds(10);

    private final InetSocketAddress target;
    private final int port;
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    /** Bytes until the connection is cut; negative: it is not. */
    private final AtomicInteger answerLeft = new AtomicInteger(-1);

    // written by the test, read by the threads that pass bytes on
    private volatile Traffic traffic = Traffic.FORWARD;
    private volatile Duration delay = Duration.ZERO;
    private volatile @Nullable Listening listener;
    private volatile boolean ended;

    private TcpProxy(InetSocketAddress target, int port) {
        this.target = target;
        this.port = port;
    }

    /** Starts a proxy in front of this server. */
    public static TcpProxy to(TestRedis redis) {
        return to(redis.host(), redis.port());
    }

    /** Starts a proxy in front of this address, which need not answer yet. */
    public static TcpProxy to(String host, int port) {
        TcpProxy proxy = new TcpProxy(new InetSocketAddress(host, port), Loopback.freePort());
        proxy.listen();
        return proxy;
    }

    /** The address to connect to: always loopback. */
    public String host() {
        return Loopback.HOST;
    }

    /** The port to connect to, the same as long as the proxy lives. */
    public int port() {
        return port;
    }

    /** Passes everything on at once and accepts connections: the end of every fault but for what has been lost already. */
    public void forward() {
        traffic = Traffic.FORWARD;
        delay = Duration.ZERO;
        listen();
    }

    /** Accepts connections and drops what comes, in both directions. */
    public void swallow() {
        traffic = Traffic.SWALLOW;
    }

    /** Drops what clients send; Redis never sees it. */
    public void swallowRequests() {
        traffic = Traffic.SWALLOW_REQUESTS;
    }

    /** Drops what Redis answers; it has done what it was asked. */
    public void swallowReplies() {
        traffic = Traffic.SWALLOW_REPLIES;
    }

    /**
     * Drops what Redis sends on connections that have subscribed, which still count as receivers; everything else passes. Such a
     * connection is heard again after {@link #forward()}.
     */
    public void swallowMessages() {
        traffic = Traffic.SWALLOW_MESSAGES;
    }

    /**
     * Passes bytes on so much later, in each direction and in their order; up to twice as late for bytes that arrive while others
     * are being delayed.
     *
     * @param delay zero for none
     */
    public void delay(Duration delay) {
        this.delay = delay;
    }

    /** Refuses new connections, as a port on which nobody listens; those that are open stay. */
    public void refuse() {
        Listening listening = listener;
        listener = null;
        if (listening == null) {
            return;
        }
        try {
            listening.socket.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        // until the accepting thread has let go of it, the socket still takes connections
        boolean closed = Interrupts.later(() -> {
            listening.thread.join(REFUSE_BOUND.toMillis());
            return !listening.thread.isAlive();
        });
        if (!closed) {
            throw new IllegalStateException("The proxy still listens on " + Loopback.HOST + ":" + port);
        }
    }

    /** Closes all connections and returns how many there were. */
    public int cut() {
        return cut(connection -> true);
    }

    /** Closes the connections that have sent SUBSCRIBE or PSUBSCRIBE and returns how many there were. */
    public int cutSubscribers() {
        return cut(ProxiedConnection::isSubscriber);
    }

    /**
     * Closes the next connection on which Redis answers after this many bytes of its answers; not one that has subscribed.
     *
     * @param bytes zero or more
     */
    public void cutAnswer(int bytes) {
        answerLeft.set(bytes);
    }

    /** How many connections are open. */
    public int connections() {
        return open.size();
    }

    /** How many of the open connections have sent SUBSCRIBE or PSUBSCRIBE. */
    public int subscribers() {
        return (int) open.stream().filter(ProxiedConnection::isSubscriber).count();
    }

    /** How many connections have been accepted since the start. */
    public int accepted() {
        return accepted.get();
    }

    /** Refuses new connections and closes all. */
    @Override
    public void close() {
        ended = true;
        refuse();
        cut();
    }

    Traffic traffic() {
        return traffic;
    }

    Duration delay() {
        return delay;
    }

    /** How many of these bytes of an answer may pass before the connection is cut; negative: all, and it is not. */
    int answerLeft(int length) {
        int left = answerLeft.getAndUpdate(now -> now > length ? now - length : -1);
        return left > length ? -1 : left;
    }

    private int cut(Predicate<ProxiedConnection> which) {
        int cut = 0;
        for (ProxiedConnection connection : open) {
            if (which.test(connection) && connection.close()) {
                cut++;
            }
        }
        return cut;
    }

    private void listen() {
        if (listener != null) {
            return;
        }
        try {
            ServerSocket socket = new ServerSocket(port, 128, InetAddress.getByName(Loopback.HOST));
            listener = new Listening(socket, daemon("proxy-accept-" + port, () -> acceptAll(socket)));
        } catch (IOException ex) {
            throw new UncheckedIOException("The proxy cannot listen on " + Loopback.HOST + ":" + port, ex);
        }
    }

    private void acceptAll(ServerSocket listening) {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException closed) {
                // by refuse() or close(), and the loop ends; or a client that was gone before it was accepted
                continue;
            }
        }
    }

    private void connect(Socket client) {
        accepted.incrementAndGet();
        ProxiedConnection connection = new ProxiedConnection(this, client, open::remove);
        open.add(connection);
        connection.start(target);
        if (ended) {
            connection.close();
        }
    }

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The open port and who accepts on it. */
    private record Listening(ServerSocket socket, Thread thread) {}
}
