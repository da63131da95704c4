package dev.baton.lock.support;

import dev.baton.lock.engine.LockEngine;
import dev.baton.lock.harness.RedisView;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.redis.RedisLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Engines with connections of their own in one JVM: as many "processes" as a test needs. */
final class Processes implements AutoCloseable {

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Supplier<Connections> connections;
    private final Consumer<RedisLockStore.Builder> storeSettings;
    private LockTemplate other;

    Processes(TestRedis redis) {
        this(redis, Backend.LETTUCE);
    }

    Processes(String host, int port) {
        this(() -> Backend.LETTUCE.connect(host, port), store -> {});
    }

    Processes(TestRedis redis, Backend backend) {
        this(() -> backend.connect(redis.host(), redis.port()), store -> {});
    }

    /** Processes that connect in another way, or whose stores differ. */
    Processes(Supplier<Connections> connections, Consumer<RedisLockStore.Builder> storeSettings) {
        this.connections = connections;
        this.storeSettings = storeSettings;
    }

    LockTemplate start() {
        return start(builder -> {});
    }

    /** Starts a process and waits until it is told of grants. */
    LockTemplate start(Consumer<LockTemplateBuilder> settings) {
        Started started = startDeaf(settings);
        await(started.store()::isListening);
        return started.template();
    }

    /** A process of its own, the same at each call. */
    LockTemplate other() {
        if (other == null) {
            other = start();
        }
        return other;
    }

    /** Starts a process without waiting for anything. */
    Started startDeaf(Consumer<LockTemplateBuilder> settings) {
        Connections connected = connections.get();
        RedisLockStore.Builder builder = RedisLockStore.builder(connected.factory());
        storeSettings.accept(builder);
        RedisLockStore store = builder.build();
        AnswerTimes answers = new AnswerTimes();
        LockTemplateBuilder template = CohortMode.configure(
                LockTemplate.builder(answers.observe(store)).shutdownAwait(Duration.ZERO));
        settings.accept(template);
        Started started = new Started(template.build(), store, answers);
        open.add(connected.end()::run);
        open.add(started.template());
        return started;
    }

    /** Returns when so many wait for a lock: in this queue, or within their processes. */
    void awaitWaiting(RedisView redis, String queue, long count) {
        if (CohortMode.isOn()) {
            awaitWaiting(count);
        } else {
            await(() -> Long.valueOf(count).equals(redis.command("ZCARD", queue)));
        }
    }

    /** Returns when so many wait for locks, as far as their processes know. */
    void awaitWaiting(long count) {
        await(() -> areWaiting(count));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private boolean areWaiting(long count) {
        List<LockEngine> engines = open.stream()
                .filter(LockTemplate.class::isInstance)
                .map(template -> ((LockTemplate) template).engine())
                .filter(engine -> engine != null && engine.waiters() > 0)
                .toList();
        return engines.stream().mapToInt(LockEngine::placed).sum() == count
                && engines.stream()
                        .allMatch(engine -> engine.awaitedNames() > 0
                                || !engine.leases().names().isEmpty());
    }

    /** What was started. */
    record Started(LockTemplate template, RedisLockStore store, AnswerTimes answers) {}

    @Override
    public void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }
}
