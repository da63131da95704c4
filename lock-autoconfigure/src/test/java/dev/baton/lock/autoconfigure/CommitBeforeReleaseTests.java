package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Tests in two contexts with a shared database that a holder sees the commit of the previous holder. */
@Timeout(120)
@Tag("once")
class CommitBeforeReleaseTests {

    private static final int THREADS = 4;
    private static final int INCREMENTS = 250;

    private final TestRedis redis = TestRedis.start();

    private final ApplicationContextRunner runner = Contexts.withDatabase(Contexts.with(redis), "commits")
            .withBean(Accounts.class)
            .withPropertyValues("baton.wait-time=60s");

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void nextHolderSeesTheCommittedRow() {
        runner.run(a -> runner.run(b -> {
            JdbcTemplate database = a.getBean(JdbcTemplate.class);
            database.execute("create table account (id bigint primary key, amount int not null)");
            database.update("insert into account values (42, 0)");

            Queue<Integer> read = new ConcurrentLinkedQueue<>();
            incrementFromAllThreads(List.of(a, b), read);

            int total = 2 * THREADS * INCREMENTS;
            // in the order of the grants: each holder read the value of the previous holder, and no value was read
            // twice
            assertThat(read)
                    .containsExactlyElementsOf(IntStream.range(0, total).boxed().toList());
            assertThat(database.queryForObject("select amount from account where id = 42", Integer.class))
                    .isEqualTo(total);
        }));
    }

    private static void incrementFromAllThreads(List<ApplicationContext> contexts, Queue<Integer> read)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(contexts.size() * THREADS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (ApplicationContext context : contexts) {
                Accounts accounts = context.getBean(Accounts.class);
                for (int i = 0; i < THREADS; i++) {
                    running.add(threads.submit(() -> {
                        for (int n = 0; n < INCREMENTS; n++) {
                            accounts.increment(42, read);
                        }
                    }));
                }
            }
            for (Future<?> future : running) {
                future.get(90, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    static class Accounts {

        private final JdbcTemplate database;

        Accounts(JdbcTemplate database) {
            this.database = database;
        }

        @Transactional
        @DistributedLock(scope = "account", key = "#id")
        void increment(long id, Queue<Integer> read) {
            Integer amount = database.queryForObject("select amount from account where id = ?", Integer.class, id);
            read.add(amount);
            database.update("update account set amount = ? where id = ?", amount + 1, id);
        }
    }
}
