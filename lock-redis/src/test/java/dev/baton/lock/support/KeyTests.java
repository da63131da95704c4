package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.scenario.KeyScenarios;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Names and namespaces on a real Redis, and the keys that they become. */
@ParameterizedClass
@MethodSource("dev.baton.lock.support.Backend#diagonal")
class KeyTests extends KeyScenarios {

    private final Backend backend;
    private TestRedis redis;

    KeyTests(Backend backend) {
        this.backend = backend;
    }

    @Override
    protected Fleet newFleet() {
        RedisFleet onRedis = new RedisFleet(backend);
        redis = onRedis.redis;
        return onRedis;
    }

    @Test
    void keysOfALeaseAreThoseInRedis() {
        List<Lease> leases = distinctRequests().stream()
                .map(request -> one.tryAcquire(request).orElseThrow())
                .toList();
        assertThat(leases.stream().flatMap(lease -> lease.redisKeys().stream()))
                .doesNotHaveDuplicates()
                .isSubsetOf(redis.keys());
        leases.forEach(Lease::close);
    }

    @Test
    void nestedNamespaceIsBeforeTheKindOfTheKey() {
        try (Lease lease = one.acquire(LockRequest.of("x").namespace("orders:eu"))) {
            assertThat(lease.redisKeys()).containsExactly("lock:orders:eu:lock:{x.global}");
            assertThat(redis.keys()).containsAll(lease.redisKeys());
        }
    }

    @Test
    void rootNamespaceOfTwoLevels() throws Exception {
        try (Processes processes = new Processes(
                () -> backend.connect(redis.host(), redis.port()), store -> store.namespace("lock:orders"))) {
            LockTemplate first = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            LockTemplate second = processes.start(builder -> builder.recheck(Duration.ofSeconds(20)));
            handOver(first, second, LockRequest.of("x"), "lock:orders:queue:{x.global}");
            LockRequest nested = LockRequest.of("x").namespace("eu:west");
            handOver(first, second, nested, "lock:orders:eu:west:queue:{x.global}");
            Lease lease = first.acquire(nested);
            assertThat(lease.redisKeys()).containsExactly("lock:orders:eu:west:lock:{x.global}");
            lease.close();
        }
        assertThat(redis.lastingKeys()).containsExactly("lock:orders:fence");
    }

    /** One process holds, the other waits and is told by the release: its recheck would come much later. */
    private void handOver(LockTemplate holder, LockTemplate waiting, LockRequest request, String queue)
            throws Exception {
        Lease lease = holder.acquire(request);
        Future<Boolean> waiter = fleet.begin(() -> waiting.execute(request, Lease::isHeld));
        fleet.until(Duration.ofSeconds(10), () -> redis.keys().contains(queue));
        lease.close();
        assertThat(fleet.get(waiter, Duration.ofSeconds(5))).isTrue();
    }
}
