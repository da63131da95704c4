package dev.baton.lock.redis.lettuce;

import dev.baton.lock.redis.pubsub.GrantMessages;
import dev.baton.lock.redis.pubsub.GrantSubscription;
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
 * Subscribes over Lettuce, which resubscribes on its own after a lost connection. The confirmation shows that Lettuce
 * has resubscribed.
 */
public final class RedisInbox implements GrantSubscription, MessageListener, SubscriptionListener {

    private static final Logger log = LoggerFactory.getLogger(RedisInbox.class);

    private static final long FIRST_RETRY_MILLIS = 200;
    private static final long LAST_RETRY_MILLIS = 5_000;
    private static final long STOP_BOUND_SECONDS = 1;

    private final LockListenerContainer container;
    private final GrantMessages messages;
    private final String channel;
    private final ScheduledThreadPoolExecutor subscriber;

    /** Used only by the subscriber's thread. */
    private boolean registered;

    private volatile boolean listening;
    private volatile boolean stopped;

    public RedisInbox(LockListenerContainer container, GrantMessages messages, ScheduledThreadPoolExecutor subscriber) {
        this.container = container;
        this.messages = messages;
        this.channel = messages.channel();
        this.subscriber = subscriber;
    }

    @Override
    public void start() {
        run(() -> subscribe(FIRST_RETRY_MILLIS));
    }

    @Override
    public boolean isListening() {
        return listening;
    }

    @Override
    public void listenAgain() {
        run(() -> {
            reset();
            subscribe(FIRST_RETRY_MILLIS);
        });
    }

    @Override
    public void stop() {
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
            if (!registered) {
                container.addMessageListener(this, ChannelTopic.of(channel));
                registered = true;
            }
            container.start();
        } catch (RuntimeException ex) {
            messages.failed(ex);
        }
        if (!container.isListening()) {
            reset();
            retry(retryMillis);
        }
    }

    /** Stops the container, whatever it was doing, so that it can be started again. */
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
            log.debug("The store has stopped; {} is no longer subscribed", channel);
        }
    }

    @Override
    public void onChannelSubscribed(byte[] subscribed, long count) {
        listening = true;
        messages.listening();
    }

    @Override
    public void onChannelUnsubscribed(byte[] unsubscribed, long count) {
        listening = false;
    }

    @Override
    public void onMessage(Message message, byte @Nullable [] pattern) {
        messages.received(message.getBody());
    }
}
