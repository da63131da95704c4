package dev.baton.lock.redis.lettuce;

import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.key.ServerCheck;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
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
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Holds the connection for commands: opens it when first needed, and again after it was closed for good. Lettuce itself
 * reconnects a broken connection. Opening runs on the store's own thread: a Redis that accepts but does not answer
 * keeps that thread for a minute.
 *
 * <p>Commands are sent in the order in which they were given, also while the connection is being opened.
 */
public final class LettuceLink {

    private static final Logger log = LoggerFactory.getLogger(LettuceLink.class);

    /** A command that is either sent, or notified of why it cannot be sent. */
    interface Sending {
        void start(RedisScriptingAsyncCommands<byte[], byte[]> commands);

        void fail(Throwable failure);
    }

    private final LettuceConnectionFactory factory;
    private final Executor opener;
    private final ServerCheck check;
    private final AtomicLong epoch = new AtomicLong();
    private final Watcher watcher = new Watcher();

    /** Guards the next two fields; held only briefly. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Queue<Sending> waiting = new ArrayDeque<>();
    private boolean opening;
    private volatile boolean closed;
    private volatile @Nullable AbstractRedisClient watched;
    /** The connection as the client names it when it breaks, or {@code null} if there is none yet, or several. */
    private volatile @Nullable RedisChannelHandler<?, ?> own;
    /** The open connection; set only while no command waits, so that no command is overtaken. */
    private volatile @Nullable Open ready;

    public LettuceLink(LettuceConnectionFactory factory, Executor opener, RedisFailures failures) {
        this.factory = factory;
        this.opener = opener;
        this.check = new ServerCheck(failures);
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

    /** Returns the open connection, or {@code null} if the command waits until the connection is open. */
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
            checkServer(connection);
            RedisScriptingAsyncCommands<byte[], byte[]> commands = commandsOf(connection);
            own = single(commands);
            watch();
            drain(new Open(connection, commands));
        } catch (RuntimeException | Error ex) {
            abandon(ex);
        }
    }

    private void checkServer(RedisConnection connection) {
        if (!(connection instanceof LettuceConnection lettuce)) {
            return;
        }
        boolean accepted = false;
        try {
            check.check((command, args) -> LettuceLibrary.ask(lettuce, command, args));
            accepted = true;
        } finally {
            if (!accepted) {
                close(connection);
            }
        }
    }

    /** Watches the client, which reports on all connections that it has made. */
    private void watch() {
        unwatch();
        AbstractRedisClient client = factory.getNativeClient();
        if (client != null) {
            client.addListener(watcher);
            watched = client;
        }
    }

    private void unwatch() {
        AbstractRedisClient client = watched;
        if (client != null) {
            client.removeListener(watcher);
        }
    }

    /**
     * Returns the connection on which commands are sent, or {@code null} if there are several, as to a master with
     * replicas. The client then names each of them.
     */
    @SuppressWarnings("deprecation") // there is no other way to the connection
    private static @Nullable RedisChannelHandler<?, ?> single(RedisScriptingAsyncCommands<byte[], byte[]> commands) {
        return commands instanceof RedisAsyncCommands<?, ?> async
                        && async.getStatefulConnection() instanceof RedisChannelHandler<?, ?> connection
                        && !(connection instanceof StatefulRedisMasterReplicaConnection<?, ?>)
                ? connection
                : null;
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
                    opening = false;
                    ready = closed ? null : open;
                    break;
                }
            } finally {
                lock.unlock();
            }
            next.start(open.commands());
        }
        if (closed) {
            release(open);
        }
    }

    private void abandon(Throwable failure) {
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

    /** Handles a command that failed without an answer. If its connection is closed, the next command opens another. */
    void failed(Throwable cause) {
        Open open = ready;
        // a connection that Lettuce is just reconnecting is not open either: only the message tells them apart
        if (open != null
                && cause instanceof RedisException
                && String.valueOf(cause.getMessage()).contains("closed")) {
            drop(open);
        }
    }

    void close() {
        closed = true;
        unwatch();
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
        run(() -> release(open));
    }

    private static void release(Open open) {
        close(open.connection());
    }

    private static void close(RedisConnection connection) {
        try {
            connection.close();
        } catch (RuntimeException ex) {
            log.debug("Closing a connection failed", ex);
        }
    }

    private void run(Runnable task) {
        try {
            opener.execute(task);
        } catch (RejectedExecutionException ex) {
            abandon(new IllegalStateException("the lock store has stopped", ex));
        }
    }

    /** A connection that is, or was, open. */
    private record Open(RedisConnection connection, RedisScriptingAsyncCommands<byte[], byte[]> commands) {}

    /**
     * Counts the breaks of the connection for commands. Other connections of the same client, which the application may
     * have, do not matter here, nor do those of subscriptions.
     */
    private final class Watcher extends RedisConnectionStateAdapter {

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            RedisChannelHandler<?, ?> only = own;
            if (only == null ? !(connection instanceof StatefulRedisPubSubConnection<?, ?>) : connection == only) {
                epoch.incrementAndGet();
            }
        }
    }
}
