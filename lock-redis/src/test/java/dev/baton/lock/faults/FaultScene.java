package dev.baton.lock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.harness.TcpProxy;
import dev.baton.lock.harness.TestRedis;
import dev.baton.lock.support.Backend;
import dev.baton.lock.support.EngineCounters;
import dev.baton.lock.support.LockTemplateBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Gives each test a Redis of its own over one client. Closes Redis and the registered resources after the test. */
abstract class FaultScene {

    final ExecutorService threads = Executors.newCachedThreadPool();
    TestRedis redis;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Backend backend;

    FaultScene(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void startRedis() {
        redis = opened(backend.startRedis());
    }

    @AfterEach
    void closeAll() throws Exception {
        threads.shutdownNow();
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    /** Registers a resource. Resources are closed after the test, the latest first. */
    <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }

    /** Starts an engine in this JVM. */
    Engine engine(Consumer<LockTemplateBuilder> settings) {
        return opened(Engine.start(backend.connect(redis.host(), redis.port()), settings));
    }

    /** Starts an engine behind a proxy. */
    Engine engine(TcpProxy proxy, Consumer<LockTemplateBuilder> settings) {
        return opened(Engine.start(backend.connect(proxy.host(), proxy.port()), settings));
    }

    /** Asserts that Redis has forgotten every request, and that the engines have no pending work. */
    void assertNothingIsLeft(Duration within, Engine... engines) {
        await().atMost(within).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            assertThat(redis.lastingKeys()).isSubsetOf("lock:fence");
            for (Engine engine : engines) {
                assertThat(EngineCounters.openRequests(engine.locks()))
                        .as("openRequests")
                        .isZero();
                assertThat(EngineCounters.awaitedNames(engine.locks()))
                        .as("awaitedNames")
                        .isZero();
                assertThat(EngineCounters.waiters(engine.locks())).as("waiters").isZero();
                assertThat(EngineCounters.sharedOwners(engine.locks()))
                        .as("sharedOwners")
                        .isZero();
            }
        });
    }

    /** Returns the least of several readings, to exclude what other threads allocate meanwhile. */
    static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
