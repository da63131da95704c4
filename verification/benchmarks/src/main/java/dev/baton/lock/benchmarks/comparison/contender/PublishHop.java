package dev.baton.lock.benchmarks.comparison.contender;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * One message, from the thread that publishes it to the thread that waits for it: what any lock pays that tells a waiter by a
 * message. The first caller that takes a name has it, one other may wait for it, once.
 */
final class PublishHop implements Contender {

    private static final byte[] CHANNEL = "hop".getBytes(StandardCharsets.UTF_8);

    private final StringRedisTemplate redis;
    private final RedisConnection subscription;

    /** Messages that were published and not taken yet: a message may come before the thread that waits for it looks. */
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    PublishHop(Place place) {
        this.redis = new StringRedisTemplate(place.lettuce());
        this.subscription = place.lettuce().getConnection();
        MessageListener listener =
                (message, pattern) -> told.offer(new String(message.getBody(), StandardCharsets.UTF_8));
        subscription.subscribe(listener, CHANNEL);
    }

    @Override
    public Hold acquire(String name) throws InterruptedException {
        if (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("hop:" + name, "1"))) {
            awaitMessage(name);
        }
        return () -> redis.convertAndSend("hop", name);
    }

    /** Leaves out what was told of other names, which no thread had to wait for. */
    private void awaitMessage(String name) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        String last = null;
        while (!name.equals(last)) {
            last = told.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (last == null) {
                throw new IllegalStateException("no message for " + name);
            }
        }
    }

    @Override
    public void close() {
        subscription.close();
    }
}
