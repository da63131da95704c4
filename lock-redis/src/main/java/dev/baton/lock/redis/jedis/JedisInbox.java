package dev.baton.lock.redis.jedis;

import dev.baton.lock.LockNames;
import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
import dev.baton.lock.redis.pubsub.KeyspaceEvents;
import dev.baton.lock.store.LockName;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Subscribes over Jedis, which blocks a thread for as long as the subscription lasts. Does not use Spring's container,
 * which would begin another subscription whenever Redis hangs. When Redis continues, all these subscriptions would be
 * active and keep their connections.
 *
 * <p>The subscriber's thread decides when a subscription begins and when one is over. The subscriber's thread never
 * blocks.
 */
public final class JedisInbox implements GrantSubscription {

    private static final Logger log = LoggerFactory.getLogger(JedisInbox.class);

    private static final long FIRST_RETRY_MILLIS = 20;
    private static final long LAST_RETRY_MILLIS = 5_000;
    /** How long the first confirmation is awaited; doubles whenever no confirmation arrives. */
    private static final long FIRST_PATIENCE_MILLIS = 5_000;

    private static final long LAST_PATIENCE_MILLIS = 320_000;
    private static final long STOP_BOUND_MILLIS = 1_000;

    private final RedisConnectionFactory factory;
    private final GrantMessages messages;
    private final ScheduledThreadPoolExecutor subscriber;

    /** Receives changes of locks, or {@code null} if only grants arrive. */
    private final @Nullable KeyspaceEvents events;

    /** The locks whose changes are to arrive; used only by the subscriber's thread. */
    private final Set<LockName> watched = new LinkedHashSet<>();

    private final AtomicBoolean refusalTold = new AtomicBoolean();

    private volatile @Nullable Listening current;
    private volatile boolean stopped;

    public JedisInbox(
            RedisConnectionFactory factory,
            GrantMessages messages,
            @Nullable KeyspaceEvents events,
            ScheduledThreadPoolExecutor subscriber) {
        this.factory = factory;
        this.messages = messages;
        this.events = events;
        this.subscriber = subscriber;
    }

    @Override
    public void start() {
        later(0, () -> begin(FIRST_RETRY_MILLIS, FIRST_PATIENCE_MILLIS));
    }

    @Override
    public boolean isListening() {
        Listening now = current;
        return now != null && now.standing;
    }

    @Override
    public void listenAgain() {
        later(0, () -> replace(current, FIRST_PATIENCE_MILLIS));
    }

    @Override
    public void watch(LockName name) {
        later(0, () -> {
            Listening now = current;
            if (watched.add(name) && now != null) {
                now.watch(name);
            }
        });
    }

    @Override
    public void unwatch(LockName name) {
        later(0, () -> {
            Listening now = current;
            if (watched.remove(name) && now != null) {
                now.unwatch(name);
            }
        });
    }

    @Override
    public void stop() {
        stopped = true;
        Listening last = current;
        if (last == null) {
            return;
        }
        later(0, last::leave);
        try {
            if (!last.ended.await(STOP_BOUND_MILLIS, TimeUnit.MILLISECONDS)) {
                log.debug("{} could not be unsubscribed within {} ms", messages.channel(), STOP_BOUND_MILLIS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(long retryMillis, long patienceMillis) {
        if (stopped) {
            return;
        }
        Listening next = new Listening(retryMillis);
        current = next;
        next.unconfirmed =
                later(patienceMillis, () -> replace(next, Math.min(2 * patienceMillis, LAST_PATIENCE_MILLIS)));
        Thread thread = new Thread(next, "baton-store-listen");
        thread.setDaemon(true);
        thread.start();
    }

    /** Begins another subscription. The old one may notice nothing until its connection is declared dead. */
    private void replace(@Nullable Listening old, long patienceMillis) {
        if (old == null || old != current) {
            return;
        }
        begin(FIRST_RETRY_MILLIS, patienceMillis);
        old.leave();
    }

    private void over(Listening listening) {
        if (listening != current) {
            return;
        }
        long retry = listening.stood && !listening.refused ? FIRST_RETRY_MILLIS : listening.retryMillis;
        later(retry, () -> {
            if (listening == current) {
                begin(Math.min(2 * retry, LAST_RETRY_MILLIS), FIRST_PATIENCE_MILLIS);
            }
        });
    }

    private static byte[] bytes(String channel) {
        return channel.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Schedules a task on the subscriber's thread. Returns {@code null} if the task is too late because the store has
     * stopped.
     */
    private @Nullable ScheduledFuture<?> later(long millis, Runnable task) {
        if (stopped && millis > 0) {
            return null;
        }
        try {
            return subscriber.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ex) {
            log.debug("The store has stopped; {} is no longer subscribed", messages.channel());
            return null;
        }
    }

    /**
     * One subscription, from its connection to its end. Uses Jedis directly: Spring's connection, when closed, sends an
     * UNSUBSCRIBE to a connection that may be back in the pool. The next command on that connection would take the
     * answer as its own.
     */
    private final class Listening extends BinaryJedisPubSub implements Runnable {

        private final CountDownLatch ended = new CountDownLatch(1);
        private final AtomicBoolean left = new AtomicBoolean();
        private final long retryMillis;

        private volatile boolean standing;
        private volatile boolean stood;
        /** Whether an answer ended the subscription, rather than a lost connection. */
        private volatile boolean refused;

        private volatile @Nullable ScheduledFuture<?> unconfirmed;

        Listening(long retryMillis) {
            this.retryMillis = retryMillis;
        }

        @Override
        public void run() {
            try (RedisConnection borrowed = factory.getConnection()) {
                SubscribedConnection.listen(borrowed.getNativeConnection(), this, channels());
            } catch (JedisDataException ex) {
                refused(ex);
            } catch (RuntimeException ex) {
                if (stood) {
                    log.debug("The subscription of {} ended", messages.channel(), ex);
                } else {
                    messages.failed(ex);
                }
            } catch (Error ex) {
                log.error("The subscription of {} ended; it begins again", messages.channel(), ex);
            } finally {
                standing = false;
                awaitNothing();
                ended.countDown();
                later(0, () -> over(this));
            }
        }

        private byte[][] channels() {
            byte[] inbox = bytes(messages.channel());
            return events == null ? new byte[][] {inbox} : new byte[][] {inbox, bytes(events.probe())};
        }

        private void refused(JedisDataException ex) {
            refused = true;
            if (events != null && refusalTold.compareAndSet(false, true)) {
                log.warn(KeyspaceEvents.REFUSED, messages.channel() + " and " + events.probe(), ex.getMessage());
            } else if (events == null) {
                messages.failed(ex);
            }
        }

        void watch(LockName name) {
            send(name, this::subscribe);
        }

        void unwatch(LockName name) {
            send(name, this::unsubscribe);
        }

        /**
         * Sends a command for a lock's channel. Does nothing unless this subscription is active: the next subscription
         * begins with all watched locks.
         */
        private void send(LockName name, Consumer<byte[][]> command) {
            KeyspaceEvents to = events;
            if (!standing || left.get() || to == null) {
                return;
            }
            try {
                command.accept(new byte[][] {bytes(to.channel(name))});
            } catch (RuntimeException ex) {
                log.debug("The subscription of {} could not be changed", LockNames.printable(to.channel(name)), ex);
            }
        }

        /** Stops waiting for the confirmation: the subscription is confirmed, or over. */
        private void awaitNothing() {
            ScheduledFuture<?> timer = unconfirmed;
            if (timer != null) {
                timer.cancel(false);
            }
        }

        /**
         * Ends the subscription, once, if Redis has confirmed it. Otherwise, the subscription ends itself when Redis
         * confirms it.
         */
        void leave() {
            if (!stood || ended.getCount() == 0 || !left.compareAndSet(false, true)) {
                return;
            }
            try {
                unsubscribe();
            } catch (RuntimeException ex) {
                log.debug("Unsubscribing from {} failed", messages.channel(), ex);
            }
        }

        @Override
        public void onSubscribe(byte[] subscribed, int count) {
            if (events != null && !isInbox(subscribed)) {
                events.listening(subscribed);
                return;
            }
            stood = true;
            awaitNothing();
            if (stopped || current != this) {
                leave();
                return;
            }
            standing = true;
            if (events != null) {
                events.listening();
            }
            messages.listening();
            later(0, () -> watched.forEach(this::watch));
        }

        @Override
        public void onUnsubscribe(byte[] unsubscribed, int count) {
            if (isInbox(unsubscribed)) {
                standing = false;
            }
        }

        @Override
        public void onMessage(byte[] subscribed, byte[] message) {
            if (events != null && !isInbox(subscribed)) {
                events.received(subscribed, message);
            } else {
                messages.received(message);
            }
        }

        private boolean isInbox(byte[] subscribed) {
            return messages.channel().equals(new String(subscribed, StandardCharsets.UTF_8));
        }
    }
}
