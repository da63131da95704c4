package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.key.RedisKeys;
import dev.baton.lock.scenario.Fleet;
import dev.baton.lock.store.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
    private static final RedisKeys KEYS = new RedisKeys("lock");

    final TestRedis redis;
    final Backend backend;
    final Processes processes;
    private final List<LockTemplate> started = new ArrayList<>();
    /** One for each task: the thread is the owner of what the task acquires. */
    private final List<Thread> threads = new ArrayList<>();

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
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(task.call());
                    } catch (Throwable ex) {
                        result.completeExceptionally(ex);
                    }
                },
                "scenario");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
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
        until(duration.plusSeconds(PATIENCE_SECONDS), () -> end - nanoTime() <= 0);
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
        redis.command("DEL", KEYS.lock(new LockName("", name)));
    }

    @Override
    public boolean isHeld(String name) {
        return redis.keys().contains(KEYS.lock(new LockName("", name)));
    }

    @Override
    public boolean isHeldOnly(String... names) {
        Set<String> wanted = new TreeSet<>(Set.of(KEYS.fence()));
        for (String name : names) {
            wanted.add(KEYS.lock(new LockName("", name)));
        }
        return redis.lastingKeys().equals(wanted);
    }

    @Override
    public void awaitWaiting(String name, int requests) {
        awaitWaiting(new LockName("", name), requests);
    }

    @Override
    public void awaitWaiting(LockRequest request, int requests) {
        if (request.targets().size() > 1) {
            processes.awaitWaiting(requests);
            return;
        }
        String namespace = request.namespace() == null ? "" : request.namespace();
        awaitWaiting(new LockName(namespace, request.name(), request.permits() != null), requests);
    }

    private void awaitWaiting(LockName name, int requests) {
        if (strategy == WaitStrategy.GRANT) {
            processes.awaitWaiting(redis, KEYS.queue(name), requests);
        } else {
            processes.awaitWaiting(requests);
        }
    }

    @Override
    public void awaitAwaiting(int requests) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> started.stream()
                                .filter(LockTemplate::isRunning)
                                .mapToInt(EngineCounters::awaiting)
                                .sum()
                        == requests);
    }

    @Override
    public void assertNothingLeft() {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            assertThat(redis.lastingKeys()).containsExactly(KEYS.fence());
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
        threads.forEach(Thread::interrupt);
        try (TestRedis ending = redis) {
            processes.close();
            if (watch != null) {
                watch.endAndAssertOnlyListedRights();
            }
        }
    }
}
