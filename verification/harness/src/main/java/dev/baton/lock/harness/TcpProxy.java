package dev.baton.lock.harness;

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
 * A loopback TCP proxy in front of a Redis, with which a test makes the network fail. Forwards all bytes until a fault
 * is set.
 *
 * <p>Swallowed bytes are gone, as on a connection that broke without notice to either end. A connection that has lost
 * bytes in a direction stays silent in that direction until it is cut, also after {@link #forward()}. The reason is
 * that its requests and replies no longer match. Only {@link #swallowMessages()} has no lasting effect.
 *
 * <p>May be used by any thread. A change of mode applies to what the proxy reads after it.
 */
public final class TcpProxy implements AutoCloseable {

    /** The treatment of arriving bytes. */
    enum Traffic {
        FORWARD,
        SWALLOW,
        SWALLOW_REQUESTS,
        SWALLOW_REPLIES,
        SWALLOW_MESSAGES
    }

    private static final Duration REFUSE_BOUND = Duration.ofSeconds(10);

    private volatile InetSocketAddress target;
    private final int port;
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    /** The number of bytes until a connection is cut; negative if no cut is set. */
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

    /** Returns the address to connect to, which is always loopback. */
    public String host() {
        return Loopback.HOST;
    }

    /** Returns the port to connect to, which stays the same as long as the proxy lives. */
    public int port() {
        return port;
    }

    /** Connects to another server from now on. Open connections stay with the old one until they are cut. */
    public void retarget(TestRedis redis) {
        target = new InetSocketAddress(redis.host(), redis.port());
    }

    /** Forwards all bytes without delay and accepts connections. Ends every fault, but does not restore lost bytes. */
    public void forward() {
        traffic = Traffic.FORWARD;
        delay = Duration.ZERO;
        listen();
    }

    /** Accepts connections and drops all bytes in both directions. */
    public void swallow() {
        traffic = Traffic.SWALLOW;
    }

    /** Drops the requests of clients; Redis never receives them. */
    public void swallowRequests() {
        traffic = Traffic.SWALLOW_REQUESTS;
    }

    /** Drops the replies of Redis; Redis has executed the requests. */
    public void swallowReplies() {
        traffic = Traffic.SWALLOW_REPLIES;
    }

    /**
     * Drops what Redis sends on subscribed connections, which Redis still counts as receivers. Everything else passes.
     * Messages on such a connection arrive again after {@link #forward()}.
     */
    public void swallowMessages() {
        traffic = Traffic.SWALLOW_MESSAGES;
    }

    /**
     * Delays bytes in each direction, in their order. The delay is up to twice as long for bytes that arrive while
     * others are being delayed.
     *
     * @param delay the delay, or zero for none
     */
    public void delay(Duration delay) {
        this.delay = delay;
    }

    /** Refuses new connections, like a port without a listener. Open connections stay open. */
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
        // the socket accepts connections until the accepting thread leaves it: wait for that thread
        boolean closed = Interrupts.later(() -> {
            listening.thread.join(REFUSE_BOUND.toMillis());
            return !listening.thread.isAlive();
        });
        if (!closed) {
            throw new IllegalStateException("The proxy still listens on " + Loopback.HOST + ":" + port);
        }
    }

    /** Closes all connections and returns their number. */
    public int cut() {
        return cut(connection -> true);
    }

    /** Closes the connections that have sent SUBSCRIBE or PSUBSCRIBE and returns their number. */
    public int cutSubscribers() {
        return cut(ProxiedConnection::isSubscriber);
    }

    /**
     * Lets this many bytes of answers pass and then closes the connection that carries them. Bytes on all connections
     * count, except on those that have subscribed.
     *
     * @param bytes the number of bytes, zero or more
     */
    public void cutAnswer(int bytes) {
        answerLeft.set(bytes);
    }

    /** Returns the number of open connections. */
    public int connections() {
        return open.size();
    }

    /** Returns how many of the open connections have sent SUBSCRIBE or PSUBSCRIBE. */
    public int subscribers() {
        return (int) open.stream().filter(ProxiedConnection::isSubscriber).count();
    }

    /** Returns how many connections have been accepted since the start. */
    public int accepted() {
        return accepted.get();
    }

    /** Refuses new connections and closes all open ones. */
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

    /**
     * Returns how many of these answer bytes may pass before the connection is cut; negative if all pass without a cut.
     */
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
                // refuse() or close() closed the socket, and the loop ends; or a client closed before it was accepted
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

    /** The open port and the thread that accepts connections on the port. */
    private record Listening(ServerSocket socket, Thread thread) {}
}
