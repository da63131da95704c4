package dev.baton.lock.benchmarks.comparison.contender;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * One message to one process, from the thread that publishes it to the thread that waits for it: the cost of every lock that
 * notifies a waiter by a message.
 *
 * <p>The first process that acquires a name holds it. One other process may wait for the name, once. The waiter tells the
 * holder its channel beforehand, so that a release is a single {@code PUBLISH} with a single subscriber.
 */
final class PublishHop implements Contender {

    private final StringRedisTemplate redis;
    private final RedisConnection subscription;
    /** The channel of this process. */
    private final String channel = "hop:" + UUID.randomUUID();
    /** The channel of the other process by name, once that process has sent its message. */
    private final ConcurrentHashMap<String, CompletableFuture<String>> messages = new ConcurrentHashMap<>();

    PublishHop(Place place) {
        this.redis = new StringRedisTemplate(place.lettuce());
        this.subscription = place.lettuce().getConnection();
        MessageListener listener = (message, pattern) -> {
            String[] body = new String(message.getBody(), StandardCharsets.UTF_8).split(" ");
            message(body[0]).complete(body[1]);
        };
        subscription.subscribe(listener, channel.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Hold acquire(String name) {
        String key = "hop:" + name;
        if (Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(key, channel))) {
            return () -> publish(awaitMessage(name), name);
        }
        publish(Objects.requireNonNull(redis.opsForValue().get(key)), name);
        awaitMessage(name);
        return () -> {};
    }

    private void publish(String to, String name) {
        redis.convertAndSend(to, name + " " + channel);
    }

    private CompletableFuture<String> message(String name) {
        return messages.computeIfAbsent(name, same -> new CompletableFuture<>());
    }

    private String awaitMessage(String name) {
        try {
            return message(name).get(1, TimeUnit.MINUTES);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a message for " + name, ex);
        } catch (ExecutionException | TimeoutException ex) {
            throw new IllegalStateException("No message for " + name, ex);
        } finally {
            messages.remove(name);
        }
    }

    @Override
    public void close() {
        subscription.close();
    }
}
