package dev.baton.lock.benchmarks.comparison.contender;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * One message, from the thread that publishes it to the thread that waits for it: what any lock pays that tells a waiter by a
 * message. The first who takes a name has it, one other may wait for it, once.
 */
final class PublishHop implements Contender {

    private static final byte[] CHANNEL = "hop".getBytes(StandardCharsets.UTF_8);

    private final StringRedisTemplate redis;
    private final RedisConnection subscription;
    private final SynchronousQueue<String> told = new SynchronousQueue<>();

    PublishHop(Place place) {
        this.redis = new StringRedisTemplate(place.lettuce());
        this.subscription = place.lettuce().getConnection();
        MessageListener listener =
                (message, pattern) -> told.offer(new String(message.getBody(), StandardCharsets.UTF_8));
        subscription.subscribe(listener, CHANNEL);
    }

    @Override
    public Hold acquire(String name) throws InterruptedException {
        if (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("hop:" + name, "1"))
                && !name.equals(told.poll(1, TimeUnit.MINUTES))) {
            throw new IllegalStateException("no message for " + name);
        }
        return () -> redis.convertAndSend("hop", name);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
