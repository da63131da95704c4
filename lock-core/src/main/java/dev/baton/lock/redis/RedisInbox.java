package dev.baton.lock.redis;

import dev.baton.lock.store.GrantInbox;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.listener.ChannelTopic;

/**
 * The one subscription of the process. Begun in the background and tried again until it stands; a client library that
 * subscribes again by itself after a lost connection is noticed by its confirmation.
 */
final class RedisInbox implements MessageListener, SubscriptionListener {

    private static final Logger log = LoggerFactory.getLogger(RedisInbox.class);

    private static final long FIRST_RETRY_MILLIS = 200;
    private static final long LAST_RETRY_MILLIS = 5_000;
    private static final long STOP_BOUND_SECONDS = 1;

    private final LockListenerContainer container;
    private final RedisKeys keys;
    private final String channel;
    private final GrantInbox inbox;
    private final ScheduledThreadPoolExecutor subscriber;

    private volatile boolean listening;
    private volatile boolean stopped;

    RedisInbox(
            LockListenerContainer container,
            RedisKeys keys,
            String channel,
            GrantInbox inbox,
            ScheduledThreadPoolExecutor subscriber) {
        this.container = container;
        this.keys = keys;
        this.channel = channel;
        this.inbox = inbox;
        this.subscriber = subscriber;
    }

    void start() {
        run(() -> {
            container.addMessageListener(this, ChannelTopic.of(channel));
            subscribe(FIRST_RETRY_MILLIS);
        });
    }

    boolean isListening() {
        return listening;
    }

    void listenAnew() {
        run(() -> {
            reset();
            subscribe(FIRST_RETRY_MILLIS);
        });
    }

    /** Returns when it has stopped, or after two seconds if Redis does not answer. */
    void stop() {
        stopped = true;
        CountDownLatch done = new CountDownLatch(1);
        run(() -> {
            try {
                reset();
                container.removeMessageListener(this);
            } finally {
                done.countDown();
            }
        });
        try {
            if (!done.await(STOP_BOUND_SECONDS, TimeUnit.SECONDS)) {
                log.debug("{} could not be unsubscribed within {} s", channel, STOP_BOUND_SECONDS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void subscribe(long retryMillis) {
        if (stopped || container.isListening() && listening) {
            return;
        }
        try {
            container.start();
        } catch (RuntimeException ex) {
            log.debug("Subscribing to {} failed, next try in {} ms", channel, retryMillis, ex);
        }
        if (!container.isListening()) {
            reset();
            retry(retryMillis);
        }
    }

    /** Whatever it was about, the container can be started again. */
    private void reset() {
        listening = false;
        try {
            container.halt();
        } catch (RuntimeException ex) {
            log.debug("Unsubscribing from {} failed", channel, ex);
        }
    }

    private void retry(long millis) {
        if (!stopped && !subscriber.isShutdown()) {
            subscriber.schedule(
                    () -> subscribe(Math.min(2 * millis, LAST_RETRY_MILLIS)), millis, TimeUnit.MILLISECONDS);
        }
    }

    private void run(Runnable task) {
        try {
            subscriber.execute(task);
        } catch (RejectedExecutionException ex) {
            log.debug("The store has stopped; {} is not subscribed any more", channel);
        }
    }

    @Override
    public void onChannelSubscribed(byte[] subscribed, long count) {
        listening = true;
        inbox.listening();
    }

    @Override
    public void onChannelUnsubscribed(byte[] unsubscribed, long count) {
        listening = false;
    }

    /** {@code grant 1 <id> <token> <lock key>}; of other messages, which newer versions may send, nothing is known. */
    @Override
    public void onMessage(Message message, byte @Nullable [] pattern) {
        String text = new String(message.getBody(), StandardCharsets.UTF_8);
        String[] part = text.split(" ", 5);
        if (part.length != 5 || !part[0].equals("grant") || !part[1].equals("1")) {
            log.debug("Unknown message in {}: {}", channel, text);
            return;
        }
        inbox.granted(keys.lockName(part[4]), part[2], Long.parseLong(part[3]));
    }
}
