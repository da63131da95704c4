package dev.baton.lock.autoconfigure.combinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.baton.lock.Lease;
import dev.baton.lock.LockTimeoutException;
import dev.baton.lock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Tests {@code @Transactional}: the lock encloses the transaction, which commits or rolls back. */
class TransactionalCombinationTests extends CombinationFixture {

    private final ApplicationContextRunner withDatabase = runner.withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    TransactionAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=jdbc:h2:mem:combinations", "baton.wait-time=0")
            .withBean(OnMethod.class, () -> new OnMethod(this))
            .withBean(OnClass.class, () -> new OnClass(this));

    @Test
    void lockIsHeldAfterTheCommit() {
        withDatabase.run(context -> {
            context.getBean(OnMethod.class).transfer(false);
            assertThat(journal)
                    .containsExactly(
                            "lock transfer.global", "work", "committed, locked: true", "release transfer.global");
        });
    }

    @Test
    void lockIsHeldAfterTheRollback() {
        withDatabase.run(context -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(OnMethod.class).transfer(true));
            assertThat(journal)
                    .containsExactly(
                            "lock transfer.global", "work", "rolled back, locked: true", "release transfer.global");
        });
    }

    @Test
    void annotationsOnTheClassHaveTheSameOrder() {
        withDatabase.run(context -> {
            context.getBean(OnClass.class).transfer(false);
            assertThat(journal)
                    .containsExactly(
                            "lock transfer.global", "work", "committed, locked: true", "release transfer.global");
        });
    }

    @Test
    void noTransactionBeginsWhileTheLockIsBusy() {
        runner.run(other -> withDatabase.run(context -> {
            JdbcTemplate database = context.getBean(JdbcTemplate.class);
            try (Lease held = hold(other, "transfer")) {
                assertThat(held.isHeld()).isTrue();
                assertThatExceptionOfType(LockTimeoutException.class)
                        .isThrownBy(() -> context.getBean(OnMethod.class).transfer(false));
            }
            assertThat(journal).doesNotContain("work", "rolled back, locked: true");
            assertThat(database.queryForObject("select 1", Integer.class)).isEqualTo(1);
        }));
    }

    private void work(boolean fail) {
        assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                .isTrue();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                journal.add((status == STATUS_COMMITTED ? "committed" : "rolled back") + ", locked: "
                        + isLocked("transfer"));
            }
        });
        journal.add("work");
        if (fail) {
            throw new IllegalStateException("no money");
        }
    }

    static class OnMethod {

        private final TransactionalCombinationTests test;

        OnMethod(TransactionalCombinationTests test) {
            this.test = test;
        }

        @Transactional
        @DistributedLock("transfer")
        void transfer(boolean fail) {
            test.work(fail);
        }
    }

    @DistributedLock("transfer")
    @Transactional
    static class OnClass {

        private final TransactionalCombinationTests test;

        OnClass(TransactionalCombinationTests test) {
            this.test = test;
        }

        public void transfer(boolean fail) {
            test.work(fail);
        }
    }
}
