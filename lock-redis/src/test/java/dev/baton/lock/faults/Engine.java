package dev.baton.lock.faults;

import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.AnswerTimes;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.CohortMode;
import dev.baton.lock.support.Connections;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/**
 * An engine with connections of its own, as in one application. The client has its default time-out, a minute over
 * Lettuce.
 */
record Engine(LockTemplate locks, RedisLockStore store, AnswerTimes answers, Connections connections)
        implements AutoCloseable {

    /** Starts an engine, and waits for its subscription. */
    static Engine start(String host, int port, Consumer<LockTemplateBuilder> settings) {
        return start(Backend.LETTUCE.connect(host, port), settings);
    }

    /** Does the same with these connections. */
    static Engine start(Connections connections, Consumer<LockTemplateBuilder> settings) {
        Engine engine = startDeaf(connections, settings);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(engine.store::isListening);
        return engine;
    }

    /** Starts an engine, and does not wait for its subscription. */
    static Engine startDeaf(String host, int port, Consumer<LockTemplateBuilder> settings) {
        return startDeaf(Backend.LETTUCE.connect(host, port), settings);
    }

    /** Does the same with these connections. */
    static Engine startDeaf(Connections connections, Consumer<LockTemplateBuilder> settings) {
        return startDeaf(connections, store -> {}, settings);
    }

    /** Does the same with these settings of the store. */
    static Engine startDeaf(
            Connections connections,
            Consumer<RedisLockStore.Builder> storeSettings,
            Consumer<LockTemplateBuilder> settings) {
        RedisLockStore.Builder storeBuilder = RedisLockStore.builder(connections.factory());
        storeSettings.accept(storeBuilder);
        RedisLockStore store = storeBuilder.build();
        AnswerTimes answers = new AnswerTimes();
        LockTemplateBuilder builder = CohortMode.configure(
                LockTemplate.builder(answers.observe(store)).shutdownAwait(Duration.ZERO));
        settings.accept(builder);
        return new Engine(builder.build(), store, answers, connections);
    }

    @Override
    public void close() {
        locks.close();
        connections.end().run();
    }
}
