package dev.baton.lock.support;

import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockRequest;
import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A Redis, and engines whose commands and messages a test has in its hand. The lock is {@code x}. */
final class Scene implements AutoCloseable {

    static final String LOCK = "lock:lock:{x.global}";
    static final String QUEUE = "lock:queue:{x.global}";
    static final String WAIT = "lock:wait:{x.global}";
    /** Nothing is repeated by itself in so long. */
    static final Duration NEVER = Duration.ofSeconds(60);

    final TestRedis redis;
    private final CommandWatch watch;
    private final Backend backend;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();

    Scene(Backend backend) {
        this.backend = backend;
        this.redis = backend.startRedis();
        this.watch = CommandWatch.over(redis);
    }

    /** A process that asks again so often. */
    Actor actor(Duration recheck) {
        return actor(redis.host(), redis.port(), builder -> builder.recheck(recheck));
    }

    Actor actor(String host, int port, Consumer<LockTemplateBuilder> settings) {
        Connections connections = backend.connect(host, port);
        open.add(connections.end()::run);
        ScriptedStore store =
                new ScriptedStore(RedisLockStore.builder(connections.factory()).build());
        LockTemplateBuilder builder =
                CohortMode.configure(LockTemplate.builder(store).shutdownAwait(Duration.ZERO));
        settings.accept(builder);
        LockTemplate locks = builder.build();
        open.add(locks);
        await().atMost(Duration.ofSeconds(10)).until(store::isListening);
        return new Actor(locks, store);
    }

    /** Ends with the scene. */
    <T extends AutoCloseable> T with(T resource) {
        open.add(resource);
        return resource;
    }

    /** In a thread of its own. */
    Future<?> runs(Callable<?> task) {
        return threads.submit(task);
    }

    /** Waits until so many stand in the queue. */
    void awaitQueued(long count) {
        await().atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> redis.command("ZCARD", QUEUE), size -> size.equals(count));
    }

    /** The request that holds the lock; "null" if none does. */
    String holder() {
        Object lock = redis.command("GET", LOCK);
        return lock == null ? "null" : lock.toString().split(" ")[2];
    }

    @Override
    public void close() throws Exception {
        threads.shutdownNow();
        try (TestRedis ending = redis) {
            for (int i = open.size() - 1; i >= 0; i--) {
                open.get(i).close();
            }
            watch.endAndAssertOnlyListedRights();
        }
    }

    /** One process. */
    final class Actor {

        final LockTemplate locks;
        final ScriptedStore store;

        private Actor(LockTemplate locks, ScriptedStore store) {
            this.locks = locks;
            this.store = store;
        }

        Lease acquire() {
            return locks.acquire(LockRequest.of("x"));
        }

        /** Asks in a thread of its own. */
        Future<Lease> asks(LockRequest request) {
            return threads.submit(() -> locks.acquire(request));
        }

        Future<Lease> waits() {
            return asks(LockRequest.of("x").waitUnbounded());
        }

        LockEngine engine() {
            return Objects.requireNonNull(locks.engine());
        }

        /** Returns when whatever the engine had begun to do is done, but for answers of Redis. */
        void settle() throws InterruptedException {
            CountDownLatch done = new CountDownLatch(1);
            engine().executors().onAsker(0, done::countDown);
            if (!done.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the engine is busy");
            }
        }

        /** Returns when the engine owes nothing and knows of no request. */
        void awaitNothingOpen() {
            await().atMost(Duration.ofSeconds(10))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> engine().openRequests() == 0);
        }
    }
}
