package dev.baton.lock.benchmarks.comparison.contender;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Locks of lock4j, whose auto-configuration is for Spring Boot 2.7: its template is built by hand. */
final class Lock4jLocks implements Contender {

    private static final long EXPIRE_MILLIS = 30_000;
    private static final long WAIT_MILLIS = 60_000;

    private final LockTemplate locks = new LockTemplate();

    Lock4jLocks(Place place) {
        Lock4jProperties properties = new Lock4jProperties();
        locks.setProperties(properties);
        locks.setExecutors(
                List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(place.lettuce()), properties)));
        try {
            locks.afterPropertiesSet();
        } catch (Exception ex) {
            throw new IllegalStateException("lock4j did not start", ex);
        }
    }

    @Override
    public Hold acquire(String name) {
        LockInfo lock = locks.lock("lock4j:" + name, EXPIRE_MILLIS, WAIT_MILLIS);
        if (lock == null) {
            throw new IllegalStateException("lock4j did not get " + name + " within " + WAIT_MILLIS + " ms");
        }
        return () -> locks.releaseLock(lock);
    }
}
