import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Takes and gives back one lock that no other process wants, on a Redis of its own. {@code Structure} counts the types it loads. */
class UncontendedPair {

    public static void main(String[] args) {
        try (TestRedis redis = TestRedis.start()) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(redis.host(), redis.port());
            factory.afterPropertiesSet();
            factory.start();
            try (LockTemplate locks =
                    LockTemplate.builder(RedisLockStore.builder(factory).build()).build()) {
                locks.start();
                try (Lease lease = locks.acquire(LockRequest.of("scope", "key"))) {
                    System.out.println("held with token " + lease.fencingToken());
                }
            } finally {
                factory.destroy();
            }
        }
    }
}
