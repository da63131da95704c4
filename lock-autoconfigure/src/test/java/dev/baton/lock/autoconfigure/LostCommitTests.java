package dev.baton.lock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.LockLostException;
import dev.baton.lock.OnLost;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.harness.TestRedis;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests that a transaction under a lost lease leaves no trace in the database. */
@Timeout(60)
class LostCommitTests {

    private final TestRedis redis = TestRedis.start();

    private final ApplicationContextRunner runner = Contexts.withDatabase(Contexts.with(redis), "lost-commits")
            .withBean(Ledger.class)
            .withPropertyValues("baton.recheck=20s");

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void deletedKeyRollsBackTheTransactionOfTheMethod() {
        assertRolledBack(runner, ledger -> ledger.write(this::deleteTheKey));
    }

    @Test
    void deletedKeyRollsBackATransactionBegunByTheMethod() {
        assertRolledBack(runner, ledger -> ledger.writeInBody(this::deleteTheKey));
    }

    @Test
    void deletedKeyRollsBackTheTransactionAroundTheLock() {
        run(runner, (ledger, database) -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> ledger.inTransaction(() -> ledger.writeUnder(this::deleteTheKey)));
            assertThat(rows(database)).isEmpty();
        });
    }

    @Test
    void transactionManagerOfTheApplicationRollsBack() {
        assertRolledBack(runner.withUserConfiguration(OwnManager.class), ledger -> ledger.write(this::deleteTheKey));
    }

    @Test
    void callerGetsOneLossWithoutSuppressedExceptions() {
        run(
                runner,
                (ledger, database) -> assertThatExceptionOfType(LockLostException.class)
                        .isThrownBy(() -> ledger.write(this::deleteTheKey))
                        .satisfies(lost -> {
                            assertThat(lost.name()).isEqualTo("ledger.global");
                            assertThat(lost.getSuppressed()).isEmpty();
                        }));
    }

    @Test
    void transactionIsCommittedIfTheLossIsOnlyLogged() {
        run(runner, (ledger, database) -> {
            ledger.writeAnyway(this::deleteTheKey);
            assertThat(rows(database)).containsExactly("anyway");
        });
    }

    @Test
    void lossBetweenTwoTransactionsRollsBackTheSecondOnly() {
        run(runner, (ledger, database) -> {
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> ledger.writeTwice(this::deleteTheKey));
            assertThat(rows(database)).containsExactly("first");
        });
    }

    @Test
    void hungRedisDoesNotPreventACommitWithinTheLease() {
        run(runner.withPropertyValues("baton.command-timeout=300ms"), (ledger, database) -> {
            try {
                ledger.write(redis::pause);
                assertThat(rows(database)).containsExactly("row");
            } finally {
                redis.resume();
            }
        });
    }

    @Test
    void deletedKeyRollsBackTheTransactionWithPipelinedReleases() {
        run(runner.withPropertyValues("baton.release=pipelined"), (ledger, database) -> {
            // the first release is awaited, and later releases are not
            ledger.writeAnyway(() -> {});
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> ledger.write(this::deleteTheKey));
            assertThat(rows(database)).containsExactly("anyway");
        });
    }

    private void deleteTheKey() {
        assertThat(redis.command("DEL", "lock:lock:{ledger.global}")).isEqualTo(1L);
    }

    private static void assertRolledBack(ApplicationContextRunner runner, Consumer<Ledger> writing) {
        run(runner, (ledger, database) -> {
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> writing.accept(ledger));
            assertThat(rows(database)).isEmpty();
        });
    }

    private static void run(ApplicationContextRunner runner, Check check) {
        runner.run(context -> {
            JdbcTemplate database = context.getBean(JdbcTemplate.class);
            database.execute("drop table if exists ledger");
            database.execute("create table ledger (entry varchar(20) primary key)");
            check.accept(context.getBean(Ledger.class), database);
        });
    }

    private static List<String> rows(JdbcTemplate database) {
        return database.queryForList("select entry from ledger", String.class);
    }

    /** The checks of a test. */
    interface Check {
        void accept(Ledger ledger, JdbcTemplate database);
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManager {
        @Bean
        DataSourceTransactionManager manager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    static class Ledger {

        private final JdbcTemplate database;
        private final TransactionTemplate transaction;

        Ledger(JdbcTemplate database, PlatformTransactionManager manager) {
            this.database = database;
            this.transaction = new TransactionTemplate(manager);
        }

        @Transactional
        @DistributedLock("ledger")
        public void write(Runnable meanwhile) {
            insert("row");
            meanwhile.run();
        }

        @DistributedLock("ledger")
        public void writeInBody(Runnable meanwhile) {
            transaction.executeWithoutResult(status -> {
                insert("row");
                meanwhile.run();
            });
        }

        public void inTransaction(Runnable work) {
            transaction.executeWithoutResult(status -> work.run());
        }

        @DistributedLock("ledger")
        public void writeUnder(Runnable meanwhile) {
            insert("row");
            meanwhile.run();
        }

        @DistributedLock("ledger")
        public void writeTwice(Runnable between) {
            transaction.executeWithoutResult(status -> insert("first"));
            between.run();
            transaction.executeWithoutResult(status -> insert("second"));
        }

        @Transactional
        @DistributedLock(value = "ledger", onLost = OnLost.LOG)
        public void writeAnyway(Runnable meanwhile) {
            insert("anyway");
            meanwhile.run();
        }

        private void insert(String entry) {
            database.update("insert into ledger values (?)", entry);
        }
    }
}
