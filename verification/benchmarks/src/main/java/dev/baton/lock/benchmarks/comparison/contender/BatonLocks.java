package dev.baton.lock.benchmarks.comparison.contender;

import dev.baton.lock.Lease;
import dev.baton.lock.LockMode;
import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.WaitTime;
import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Locks of Baton as shipped, in a namespace of each variant. The label of a variant names every setting that differs from the
 * defaults. Only the wait time is longer for all of them: the other libraries wait without a bound or for a minute.
 */
public final class BatonLocks {

    /** How often a waiter asks again by default. */
    public static final Duration RECHECK = Duration.ofSeconds(1);

    private static final Duration START_BOUND = Duration.ofMinutes(1);

    private final String namespace;
    private final WaitStrategy strategy;
    private final boolean jedis;
    private final Consumer<LockTemplateBuilder> settings;

    private BatonLocks(String namespace, WaitStrategy strategy, boolean jedis, Consumer<LockTemplateBuilder> settings) {
        this.namespace = namespace;
        this.strategy = strategy;
        this.jedis = jedis;
        this.settings = settings;
    }

    /** With all defaults, but for the wait time. */
    public static BatonLocks with(String namespace) {
        return new BatonLocks(namespace, WaitStrategy.GRANT, false, builder -> {});
    }

    /** The same without the cohort. */
    public BatonLocks strict() {
        return configured(builder -> builder.cohortLimit(0));
    }

    /** The same with more settings. */
    public BatonLocks configured(Consumer<LockTemplateBuilder> more) {
        return new BatonLocks(namespace, strategy, jedis, settings.andThen(more));
    }

    BatonLocks overJedis() {
        return new BatonLocks(namespace, strategy, true, settings);
    }

    BatonLocks waiting(WaitStrategy other) {
        return new BatonLocks(namespace, other, jedis, settings);
    }

    /** Opens them for {@link Contestant}. */
    Contender open(Place place) {
        LockTemplate locks = start(place);
        return new Contender() {

            @Override
            public Hold acquire(String name) {
                Lease lease = locks.acquire(LockRequest.of("bench", name));
                return lease::release;
            }

            @Override
            public Hold acquireShared(String name) {
                Lease lease = locks.acquire(LockRequest.of("bench", name).mode(LockMode.SHARED));
                return lease::release;
            }

            @Override
            public Player join(String name, int me) {
                return new ConditionPlayer(locks, name, me);
            }

            @Override
            public void close() {
                locks.close();
            }
        };
    }

    /** Starts them, and waits until they are told of grants. */
    public LockTemplate start(Place place) {
        RedisConnectionFactory factory = jedis ? place.jedis() : place.lettuce();
        RedisLockStore store = RedisLockStore.builder(factory)
                .namespace("baton-" + namespace)
                .waitStrategy(strategy)
                .build();
        LockTemplateBuilder builder = LockTemplate.builder(store).waitTime(WaitTime.of(Duration.ofMinutes(2)));
        settings.accept(builder);
        LockTemplate locks = builder.build();
        long start = System.nanoTime();
        while (strategy == WaitStrategy.GRANT && !locks.isListening()) {
            if (System.nanoTime() - start > START_BOUND.toNanos()) {
                throw new IllegalStateException("Baton is not told of grants after " + START_BOUND.toSeconds() + " s");
            }
            LockSupport.parkNanos(1_000_000);
        }
        return locks;
    }
}
