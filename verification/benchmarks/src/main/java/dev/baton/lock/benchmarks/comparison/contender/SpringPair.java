package dev.baton.lock.benchmarks.comparison.contender;

import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The same two commands through Spring Data. */
final class SpringPair implements Contender {

    private static final Duration EXPIRE = Duration.ofSeconds(30);

    private final StringRedisTemplate redis;

    SpringPair(Place place) {
        this.redis = new StringRedisTemplate(place.lettuce());
    }

    @Override
    public Hold acquire(String name) {
        String key = "spring:" + name;
        if (!Boolean.TRUE.equals(redis.opsForValue().setIfAbsent(key, "1", EXPIRE))) {
            throw new IllegalStateException(key + " is there");
        }
        return () -> redis.delete(key);
    }
}
