package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockRequest;
import dev.baton.lock.WaitStrategy;
import dev.baton.lock.harness.RedisView;
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

/** Processes on real servers of Redis, and what they leave there. */
abstract class ServerFleet implements Fleet {

    private static final long PATIENCE_SECONDS = 30;
    private static final RedisKeys KEYS = new RedisKeys("lock");

    final Processes processes;
    private final List<LockTemplate> started = new ArrayList<>();
    /** One for each task: the thread is the owner of what the task acquires. */
    private final List<Thread> threads = new ArrayList<>();

    private final WaitStrategy strategy;

    ServerFleet(Processes processes, WaitStrategy strategy) {
        this.processes = processes;
        this.strategy = strategy;
    }

    /** Returns the keys that do not expire on their own, or will not soon. */
    abstract Set<String> lastingKeys();

    /** Returns the server that has this key. */
    abstract RedisView serverOf(String key);

    private Set<String> lastingKeysOfLocks() {
        Set<String> keys = new TreeSet<>(lastingKeys());
        keys.removeIf(key -> key.startsWith(KEYS.fence()));
        return keys;
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
        String key = KEYS.lock(new LockName("", name));
        serverOf(key).command("DEL", key);
    }

    @Override
    public boolean isHeld(String name) {
        String key = KEYS.lock(new LockName("", name));
        return Long.valueOf(1).equals(serverOf(key).command("EXISTS", key));
    }

    @Override
    public boolean isHeldOnly(String... names) {
        Set<String> wanted = new TreeSet<>();
        for (String name : names) {
            wanted.add(KEYS.lock(new LockName("", name)));
        }
        return lastingKeysOfLocks().equals(wanted);
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
            processes.awaitWaiting(serverOf(KEYS.queue(name)), KEYS.queue(name), requests);
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
            assertThat(lastingKeysOfLocks()).isEmpty();
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

    /** Ends the tasks and the processes. The servers go on. */
    final void closeProcesses() throws Exception {
        threads.forEach(Thread::interrupt);
        processes.close();
    }
}
