package dev.baton.lock.support;

import dev.baton.lock.harness.TestRedis;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A Redis and processes of its own for each test, over one client and in one database. Every process is a Redis user with the
 * listed rights; at the end it has used and tried no others.
 */
abstract class OnBackend {

    final ExecutorService threads = Executors.newCachedThreadPool();
    final Backend backend;
    TestRedis redis;
    Processes processes;
    private CommandWatch watch;

    OnBackend(Backend backend) {
        this.backend = backend;
    }

    @BeforeEach
    void startRedis() {
        redis = backend.startRedis();
        watch = CommandWatch.over(redis);
        processes = new Processes(redis, backend);
    }

    @AfterEach
    void stopRedis() throws Exception {
        threads.shutdownNow();
        try (TestRedis ending = redis) {
            processes.close();
            watch.endAndAssertOnlyListedRights();
        }
    }
}
