package dev.baton.lock.faults;

import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.support.LockTemplate;
import dev.baton.lock.support.LockTemplateBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** An engine with connections of its own, as one application has it; the client's time-out is its default of a minute. */
record Engine(LockTemplate locks, RedisLockStore store, LettuceConnectionFactory factory) implements AutoCloseable {

    /** Starts an engine and waits until it is told of grants. */
    static Engine start(String host, int port, Consumer<LockTemplateBuilder> settings) {
        Engine engine = startDeaf(host, port, settings);
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(engine.store::isListening);
        return engine;
    }

    /** Starts an engine without waiting for anything. */
    static Engine startDeaf(String host, int port, Consumer<LockTemplateBuilder> settings) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(host, port);
        factory.afterPropertiesSet();
        factory.start();
        RedisLockStore store = RedisLockStore.builder(factory).build();
        LockTemplateBuilder builder = LockTemplate.builder(store);
        settings.accept(builder);
        return new Engine(builder.build(), store, factory);
    }

    @Override
    public void close() {
        locks.close();
        factory.destroy();
    }
}
