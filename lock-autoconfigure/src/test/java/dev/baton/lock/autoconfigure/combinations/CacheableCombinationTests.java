package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;

/**
 * Tests {@code @Cacheable}: the lock is outside, so that the lookup is under the lock, a call finds the value of the
 * previous call, and a hit needs the lock unless {@code baton.cache.enabled} and {@code sync = true} are used.
 */
class CacheableCombinationTests extends CombinationFixture {

    private final CacheManager shared = new ConcurrentMapCacheManager();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch leave = new CountDownLatch(1);

    private final ApplicationContextRunner caching = runner.withUserConfiguration(Enable.class)
            .withBean(CacheManager.class, () -> shared)
            .withBean(Reports.class, () -> new Reports(journal, leave));

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void secondCallFindsTheValueOfTheFirstUnderTheLock() {
        caching.run(a -> caching.run(b -> {
            Future<String> first = threads.submit(() -> a.getBean(Reports.class).cached());
            await().until(() -> journal.contains("compute"));
            Future<String> second =
                    threads.submit(() -> b.getBean(Reports.class).cached());
            await().until(() -> redis.command("ZCARD", namespace + ":queue:{report.global}"), size -> size.equals(1L));
            leave.countDown();
            assertThat(List.of(get(first), get(second))).containsOnly("computed");
            // the grant may be announced before the release of the previous holder
            assertThat(journal)
                    .containsSubsequence("lock report.global", "compute", "lock report.global")
                    .containsExactlyInAnyOrder(
                            "lock report.global",
                            "compute",
                            "release report.global",
                            "lock report.global",
                            "release report.global");
        }));
    }

    @Test
    void hitNeedsTheLock() {
        leave.countDown();
        runner.run(other -> caching.withPropertyValues("baton.wait-time=0").run(context -> {
            Reports reports = context.getBean(Reports.class);
            assertThat(reports.cached()).isEqualTo("computed");
            try (Lease held = hold(other, "report")) {
                assertThat(held.isHeld()).isTrue();
                assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(reports::cached);
            }
        }));
    }

    @Test
    void putIsUnderTheLock() {
        leave.countDown();
        caching.run(context -> {
            context.getBean(Reports.class).put();
            assertThat(journal).containsExactly("lock report.global", "compute", "release report.global");
            assertThat(shared.getCache("reports").get("put", String.class)).isEqualTo("computed");
        });
    }

    @Test
    void cacheWithItsOwnLockNeedsNoLockForAHit() {
        leave.countDown();
        caching.withPropertyValues("baton.cache.enabled=true").run(context -> {
            Reports reports = context.getBean(Reports.class);
            assertThat(reports.synced("x")).isEqualTo("computed");
            assertThat(reports.synced("x")).isEqualTo("computed");
            assertThat(journal).containsExactly("lock cache.reports.x", "compute", "release cache.reports.x");
        });
    }

    private static String get(Future<String> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    @EnableCaching
    static class Enable {}

    static class Reports {

        private final List<String> journal;
        private final CountDownLatch leave;

        Reports(List<String> journal, CountDownLatch leave) {
            this.journal = journal;
            this.leave = leave;
        }

        @Cacheable("reports")
        @DistributedLock("report")
        public String cached() {
            return compute();
        }

        @CachePut(cacheNames = "reports", key = "'put'")
        @DistributedLock("report")
        public String put() {
            return compute();
        }

        @Cacheable(cacheNames = "reports", sync = true)
        public String synced(String id) {
            return compute();
        }

        private String compute() {
            journal.add("compute");
            try {
                assertThat(leave.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
            return "computed";
        }
    }
}
