package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.scenario.Fleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Processes on a real Redis of their own, over one client and in one database. Every process is a Redis user with the listed
 * rights, and at the end it has used and tried no others; in another {@link Setup} it has all rights.
 */
final class RedisFleet implements Fleet {

    private static final long PATIENCE_SECONDS = 30;

    final TestRedis redis;
    final Backend backend;
    final Processes processes;
    private final List<LockTemplate> started = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final WaitStrategy strategy;
    private final @Nullable CommandWatch watch;

    RedisFleet(Backend backend) {
        this.backend = backend;
        this.strategy = WaitStrategy.GRANT;
        this.redis = backend.startRedis();
        this.watch = CommandWatch.over(redis);
        this.processes = new Processes(redis, backend);
    }

    RedisFleet(Setup setup) {
        this.backend = setup.backend();
        this.strategy = setup.strategy();
        this.redis = backend.startOpenRedis();
        this.watch = null;
        this.processes = setup.on(redis);
    }

    @Override
    public LockTemplate start(Consumer<LockTemplateBuilder> settings) {
        // a process that polls is told nothing
        LockTemplate template =
                strategy == WaitStrategy.POLLING ? processes.startDeaf(settings).template() : processes.start(settings);
        started.add(template);
        return template;
    }

    @Override
    public <T> CompletableFuture<T> begin(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable ex) {
                result.completeExceptionally(ex);
            }
        });
        return result;
    }

    @Override
    public <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException ex) {
            throw new AssertionError("not done within " + PATIENCE_SECONDS + " s", ex);
        } catch (ExecutionException ex) {
            if (ex.getCause() instanceof Error error) {
                throw error;
            }
            throw ex.getCause() instanceof Exception cause ? cause : ex;
        }
    }

    @Override
    public void until(Duration atMost, BooleanSupplier condition) {
        await().atMost(atMost)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition::getAsBoolean);
    }

    @Override
    public void pass(Duration duration) {
        long end = nanoTime() + duration.toNanos();
        await().atMost(duration.plusSeconds(PATIENCE_SECONDS)).until(() -> end - nanoTime() <= 0);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Duration moment() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void delete(String name) {
        redis.command("DEL", key("lock", name));
    }

    @Override
    public boolean isHeld(String name) {
        return redis.keys().contains(key("lock", name));
    }

    @Override
    public void awaitWaiting(String name, int requests) {
        if (strategy == WaitStrategy.GRANT) {
            processes.awaitWaiting(redis, key("queue", name), requests);
        } else {
            processes.awaitWaiting(requests);
        }
    }

    private static String key(String kind, String name) {
        return "lock:" + kind + ":{" + name + "}";
    }

    @Override
    public void assertNothingLeft() {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            assertThat(redis.lastingKeys()).containsExactly("lock:fence");
            for (LockTemplate template : started) {
                if (template.isRunning()) {
                    assertThat(EngineCounters.openRequests(template)).isZero();
                    assertThat(EngineCounters.awaitedNames(template)).isZero();
                    assertThat(EngineCounters.waiters(template)).isZero();
                }
            }
        });
    }

    @Override
    public WaitStrategy strategy() {
        return strategy;
    }

    @Override
    public void close() throws Exception {
        threads.shutdownNow();
        try (TestRedis ending = redis) {
            processes.close();
            if (watch != null) {
                watch.endAndAssertOnlyListedRights();
            }
        }
    }
}
