package dev.baton.lock.redis.lettuce;

import dev.baton.lock.LockNames;
import dev.baton.lock.redis.key.RedisFailures;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.store.LockName;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Subscribes over Lettuce to the inbox, and to one channel per awaited lock, which comes and goes with its waiters.
 * Uses its own connection of the factory's client, asynchronously: Spring's container would wait for each confirmation.
 *
 * <p>Everything but the handling of messages runs on the subscriber's thread. Lettuce resubscribes on its own.
 */
public final class LettuceKeyspace extends RedisPubSubAdapter<byte[], byte[]> implements GrantSubscription {

    private static final Logger log = LoggerFactory.getLogger(LettuceKeyspace.class);

    private static final long FIRST_RETRY_MILLIS = 200;
    private static final long LAST_RETRY_MILLIS = 5_000;
    private static final long RESUBSCRIBED_MILLIS = 2_000;
    private static final long STOP_BOUND_MILLIS = 1_000;

    private final LettuceConnectionFactory factory;
    private final GrantMessages messages;
    private final KeyspaceEvents events;
    private final byte[] inbox;
    private final ScheduledThreadPoolExecutor subscriber;
    private final AtomicBoolean refusalTold = new AtomicBoolean();
    /** The locks that have waiters; used only by the subscriber's thread. */
    private final Set<LockName> watched = new LinkedHashSet<>();

    private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private volatile boolean listening;
    private volatile boolean stopped;

    public LettuceKeyspace(
            LettuceConnectionFactory factory,
            GrantMessages messages,
            KeyspaceEvents events,
            ScheduledThreadPoolExecutor subscriber) {
        this.factory = factory;
        this.messages = messages;
        this.events = events;
        this.inbox = messages.channel().getBytes(StandardCharsets.UTF_8);
        this.subscriber = subscriber;
    }

    @Override
    public void start() {
        later(0, () -> open(FIRST_RETRY_MILLIS));
    }

    @Override
    public boolean isListening() {
        return listening;
    }

    @Override
    public void listenAgain() {
        later(0, () -> {
            close();
            open(FIRST_RETRY_MILLIS);
        });
    }

    @Override
    public void stop() {
        stopped = true;
        CountDownLatch done = new CountDownLatch(1);
        later(0, () -> {
            close();
            done.countDown();
        });
        try {
            if (!done.await(STOP_BOUND_MILLIS, TimeUnit.MILLISECONDS)) {
                log.debug("{} could not be unsubscribed within {} ms", messages.channel(), STOP_BOUND_MILLIS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void watch(LockName name) {
        later(0, () -> {
            if (watched.add(name)) {
                subscribe(connection, name);
            }
        });
    }

    @Override
    public void unwatch(LockName name) {
        later(0, () -> {
            StatefulRedisPubSubConnection<byte[], byte[]> open = connection;
            if (watched.remove(name) && open != null) {
                open.async().unsubscribe(bytes(name));
            }
        });
    }

    private void open(long retryMillis) {
        if (stopped || connection != null) {
            return;
        }
        try {
            RedisClient client = (RedisClient) factory.getRequiredNativeClient();
            StatefulRedisPubSubConnection<byte[], byte[]> opened = client.connectPubSub(ByteArrayCodec.INSTANCE);
            if (stopped) {
                opened.closeAsync();
                return;
            }
            connection = opened;
            opened.addListener(this);
            opened.addListener(new RedisConnectionStateAdapter() {
                @Override
                public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
                    listening = false;
                    // Lettuce reconnects if it may, but does not report a failed resubscription: check after a while
                    later(client.getOptions().isAutoReconnect() ? RESUBSCRIBED_MILLIS : 0, () -> {
                        if (!listening) {
                            reopen(opened, FIRST_RETRY_MILLIS);
                        }
                    });
                }
            });
            opened.async().subscribe(inbox).whenComplete((nothing, failure) -> {
                if (failure != null) {
                    log.debug("Subscribing to {} failed, next try in {} ms", messages.channel(), retryMillis, failure);
                    later(0, () -> reopen(opened, retryMillis));
                }
            });
            watched.forEach(name -> subscribe(opened, name));
        } catch (RuntimeException ex) {
            log.debug("Connecting to subscribe failed, next try in {} ms", retryMillis, ex);
            later(retryMillis, () -> open(Math.min(2 * retryMillis, LAST_RETRY_MILLIS)));
        }
    }

    private void reopen(StatefulRedisPubSubConnection<byte[], byte[]> failed, long retryMillis) {
        if (connection == failed) {
            close();
            later(retryMillis, () -> open(Math.min(2 * retryMillis, LAST_RETRY_MILLIS)));
        }
    }

    /** Subscribes to the channel of a lock. If Redis refuses, retries as long as the lock has a waiter. */
    private void subscribe(@Nullable StatefulRedisPubSubConnection<byte[], byte[]> open, LockName name) {
        if (open == null) {
            return;
        }
        open.async().subscribe(bytes(name)).whenComplete((nothing, failure) -> {
            if (failure == null) {
                return;
            }
            if (failure instanceof RedisCommandExecutionException && refusalTold.compareAndSet(false, true)) {
                log.warn(
                        KeyspaceEvents.REFUSED,
                        LockNames.printable(events.channel(name)),
                        RedisFailures.rootMessage(failure));
            }
            later(LAST_RETRY_MILLIS, () -> {
                if (open == connection && watched.contains(name)) {
                    subscribe(open, name);
                }
            });
        });
    }

    private void close() {
        listening = false;
        StatefulRedisPubSubConnection<byte[], byte[]> open = connection;
        connection = null;
        if (open != null) {
            open.removeListener(this);
            open.closeAsync();
        }
    }

    private byte[] bytes(LockName name) {
        return events.channel(name).getBytes(StandardCharsets.UTF_8);
    }

    private void later(long millis, Runnable task) {
        if (stopped && millis > 0) {
            return;
        }
        try {
            subscriber.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ex) {
            log.debug("The store has stopped; {} is no longer subscribed", messages.channel());
        }
    }

    @Override
    public void subscribed(byte[] channel, long count) {
        if (Arrays.equals(channel, inbox)) {
            listening = true;
            events.listening();
            messages.listening();
        } else {
            events.listening(channel);
        }
    }

    @Override
    public void unsubscribed(byte[] channel, long count) {
        if (Arrays.equals(channel, inbox)) {
            listening = false;
        }
    }

    @Override
    public void message(byte[] channel, byte[] message) {
        if (Arrays.equals(channel, inbox)) {
            messages.received(message);
        } else {
            events.received(channel, message);
        }
    }
}
