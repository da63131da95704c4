package dev.baton.lock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The connection: opened when first needed, on a thread of ours (a Redis that accepts and does not answer keeps the opener
 * for a minute), and anew after it was closed for good. Lettuce itself reconnects a broken one.
 *
 * <p>Commands are sent in the order in which they were given, also while the connection is being opened.
 */
final class LettuceLink {

    private static final Logger log = LoggerFactory.getLogger(LettuceLink.class);

    /** A command that can be sent, or told why not. */
    interface Sending {
        void start(RedisScriptingAsyncCommands<byte[], byte[]> commands);

        void fail(Throwable failure);
    }

    private final RedisConnectionFactory factory;
    private final Executor opener;
    private final AtomicLong epoch = new AtomicLong();

    /** Guards the two below; held for moments only. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Queue<Sending> waiting = new ArrayDeque<>();
    private boolean opening;
    /** Set only while nothing waits, so that nothing is overtaken. */
    private volatile @Nullable Open ready;

    LettuceLink(RedisConnectionFactory factory, Executor opener) {
        this.factory = factory;
        this.opener = opener;
    }

    void send(Sending command) {
        Open open = ready;
        if (open == null) {
            open = readyOrWait(command);
        }
        if (open != null) {
            command.start(open.commands());
        }
    }

    /** Null: the command waits until the connection is open. */
    private @Nullable Open readyOrWait(Sending command) {
        lock.lock();
        try {
            Open open = ready;
            if (open != null) {
                return open;
            }
            waiting.add(command);
            if (opening) {
                return null;
            }
            opening = true;
        } finally {
            lock.unlock();
        }
        run(this::open);
        return null;
    }

    long epoch() {
        return epoch.get();
    }

    private void open() {
        try {
            RedisConnection connection = factory.getConnection();
            Open open = new Open(connection, commandsOf(connection));
            open.watch(epoch::incrementAndGet);
            drain(open);
        } catch (RuntimeException ex) {
            abandon(ex);
        }
    }

    @SuppressWarnings("unchecked")
    private static RedisScriptingAsyncCommands<byte[], byte[]> commandsOf(RedisConnection connection) {
        return (RedisScriptingAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
    }

    private void drain(Open open) {
        while (true) {
            Sending next;
            lock.lock();
            try {
                next = waiting.poll();
                if (next == null) {
                    ready = open;
                    opening = false;
                    return;
                }
            } finally {
                lock.unlock();
            }
            next.start(open.commands());
        }
    }

    private void abandon(RuntimeException failure) {
        Sending[] failed;
        lock.lock();
        try {
            failed = waiting.toArray(Sending[]::new);
            waiting.clear();
            opening = false;
        } finally {
            lock.unlock();
        }
        for (Sending command : failed) {
            command.fail(failure);
        }
    }

    /** A command failed without an answer: if the connection is closed, the next one opens another. */
    void suspect() {
        Open open = ready;
        if (open != null && !open.isOpen()) {
            drop(open);
        }
    }

    void close() {
        Open open = ready;
        if (open != null) {
            drop(open);
        }
    }

    private void drop(Open open) {
        lock.lock();
        try {
            if (ready != open) {
                return;
            }
            ready = null;
        } finally {
            lock.unlock();
        }
        epoch.incrementAndGet();
        run(() -> {
            try {
                open.connection().close();
            } catch (RuntimeException ex) {
                log.debug("Closing a broken connection failed", ex);
            }
        });
    }

    private void run(Runnable task) {
        try {
            opener.execute(task);
        } catch (RejectedExecutionException ex) {
            abandon(new IllegalStateException("the lock store has stopped", ex));
        }
    }

    /** A connection that is, or was, open. */
    private record Open(RedisConnection connection, RedisScriptingAsyncCommands<byte[], byte[]> commands) {

        private @Nullable StatefulConnection<byte[], byte[]> stateful() {
            return commands instanceof RedisAsyncCommands<byte[], byte[]> standalone
                    ? standalone.getStatefulConnection()
                    : null;
        }

        boolean isOpen() {
            StatefulConnection<byte[], byte[]> stateful = stateful();
            return stateful == null || stateful.isOpen();
        }

        void watch(Runnable onChange) {
            StatefulConnection<byte[], byte[]> stateful = stateful();
            if (stateful != null) {
                stateful.addListener(new RedisConnectionStateAdapter() {
                    @Override
                    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
                        onChange.run();
                    }

                    @Override
                    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                        onChange.run();
                    }
                });
            }
        }
    }
}
