package dev.baton.lock.support;

import dev.baton.lock.redis.RedisLockStore;
import dev.baton.lock.test.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Engines with connections of their own in one JVM: as many "processes" as a test needs. */
final class Processes implements AutoCloseable {

    private final List<AutoCloseable> open = new ArrayList<>();
    private final String host;
    private final int port;
    private LockTemplate other;

    Processes(TestRedis redis) {
        this(redis.host(), redis.port());
    }

    Processes(String host, int port) {
        this.host = host;
        this.port = port;
    }

    LockTemplate start() {
        return start(builder -> {});
    }

    /** Starts a process and waits until it is told of grants. */
    LockTemplate start(Consumer<LockTemplateBuilder> settings) {
        Started started = startDeaf(settings);
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(started.store()::isListening);
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
        LettuceConnectionFactory factory = new LettuceConnectionFactory(host, port);
        factory.afterPropertiesSet();
        factory.start();
        RedisLockStore store = RedisLockStore.builder(factory).build();
        LockTemplateBuilder builder = LockTemplate.builder(store);
        settings.accept(builder);
        LockTemplate template = builder.build();
        open.add(factory::destroy);
        open.add(template);
        return new Started(template, store, factory);
    }

    /** What was started. */
    record Started(LockTemplate template, RedisLockStore store, LettuceConnectionFactory factory) {}

    @Override
    public void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }
}
