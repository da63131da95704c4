package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.lock.LockContext;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.JournalTransactionManager;
import dev.baton.lock.testing.LockConfiguration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

class AdviceOrderTests {

    @Test
    void lockIsInsideAsyncAndOutsideTransactional() throws InterruptedException {
        try (AnnotationConfigApplicationContext context = start()) {
            CountDownLatch callerIsBack = new CountDownLatch(1);
            context.getBean(Worker.class).work(callerIsBack);
            callerIsBack.countDown();
            Journal journal = context.getBean(Journal.class);
            await().untilAsserted(() -> assertThat(journal.entries())
                    .containsExactly(
                            "acquire work.global",
                            "begin",
                            "work in async-1 with token 1",
                            "commit",
                            "release work.global"));
        }
    }

    @Test
    void lockIsOutsideCacheable() {
        try (AnnotationConfigApplicationContext context = start()) {
            Worker worker = context.getBean(Worker.class);
            assertThat(worker.cached()).isEqualTo(worker.cached());
            assertThat(context.getBean(FakeLockOperations.class).requests()).hasSize(2);
            assertThat(context.getBean(Journal.class).entries())
                    .containsExactly(
                            "acquire cached.global",
                            "compute",
                            "release cached.global",
                            "acquire cached.global",
                            "release cached.global");
        }
    }

    /** The advisor of the lock is declared last, so that only its order makes it the outermost. */
    private static AnnotationConfigApplicationContext start() {
        return new AnnotationConfigApplicationContext(
                Enable.class, JournalTransactionManager.class, Worker.class, LockConfiguration.class);
    }

    @EnableAsync
    @EnableCaching
    @EnableTransactionManagement
    static class Enable {

        @Bean
        static CacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }

        @Bean
        static TaskExecutor taskExecutor() {
            return new SimpleAsyncTaskExecutor("async-");
        }
    }

    static class Worker {

        private final Journal journal;

        Worker(Journal journal) {
            this.journal = journal;
        }

        @Cacheable("computed")
        @DistributedLock("cached")
        public String cached() {
            journal.add("compute");
            return "computed";
        }

        @Async
        @Transactional
        @DistributedLock("work")
        public void work(CountDownLatch callerIsBack) throws InterruptedException {
            callerIsBack.await();
            journal.add("work in " + Thread.currentThread().getName() + " with token "
                    + LockContext.currentLease().fencingToken());
        }
    }
}
