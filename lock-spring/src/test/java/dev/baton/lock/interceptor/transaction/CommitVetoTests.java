package dev.baton.lock.interceptor.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLease;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.JournalTransactionManager;
import dev.baton.lock.testing.LockedContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests that a transaction is rolled back if its lock is lost before the commit. */
class CommitVetoTests {

    private AnnotationConfigApplicationContext context;
    private Accounts accounts;
    private Journal journal;

    @BeforeEach
    void start() {
        context = LockedContext.start(
                EnableTransactions.class,
                CommitVetoRegistrar.class,
                JournalTransactionManager.class,
                Accounts.class,
                Inner.class);
        accounts = context.getBean(Accounts.class);
        journal = context.getBean(Journal.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void transactionOfTheMethodIsRolledBack() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> accounts.transfer(true))
                .withMessageContaining("account.global");
        assertThat(journal.entries()).containsExactly("acquire account.global", "begin", "work", "rollback");
    }

    @Test
    void transactionUnderAHeldLockIsCommitted() {
        accounts.transfer(false);
        assertThat(journal.entries())
                .containsExactly("acquire account.global", "begin", "work", "commit", "release account.global");
    }

    @Test
    void transactionBegunByTheMethodIsRolledBack() {
        assertThatExceptionOfType(LockLostException.class).isThrownBy(accounts::transferInBody);
        assertThat(journal.entries()).containsExactly("acquire account.global", "begin", "work", "rollback");
    }

    @Test
    void lossOfAnOuterLockRollsBack() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(accounts::outer)
                .withMessageContaining("account.global");
        assertThat(journal.entries())
                .containsExactly(
                        "acquire account.global",
                        "acquire inner.global",
                        "begin",
                        "work",
                        "rollback",
                        "release inner.global");
    }

    @Test
    void transactionAfterTheLockIsCommitted() {
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> accounts.transfer(true));
        new TransactionTemplate(context.getBean(JournalTransactionManager.class))
                .executeWithoutResult(status -> journal.add("later"));
        assertThat(journal.entries()).endsWith("begin", "later", "commit");
    }

    @EnableTransactionManagement
    static class EnableTransactions {}

    static class Accounts {

        private final Journal journal;
        private final TransactionTemplate transaction;
        private final Inner inner;

        Accounts(Journal journal, JournalTransactionManager manager, Inner inner) {
            this.journal = journal;
            this.transaction = new TransactionTemplate(manager);
            this.inner = inner;
        }

        @DistributedLock("account")
        @Transactional
        public void transfer(boolean lose) {
            journal.add("work");
            if (lose) {
                loseTheLease();
            }
        }

        @DistributedLock("account")
        public void transferInBody() {
            transaction.executeWithoutResult(status -> transfer(true));
        }

        @DistributedLock("account")
        public void outer() {
            FakeLease mine = (FakeLease) LockContext.currentLease();
            inner.work(mine);
        }

        static void loseTheLease() {
            ((FakeLease) LockContext.currentLease()).lose();
        }
    }

    static class Inner {

        private final Journal journal;

        Inner(Journal journal) {
            this.journal = journal;
        }

        @DistributedLock("inner")
        @Transactional
        public void work(FakeLease outer) {
            journal.add("work");
            outer.lose();
        }
    }
}
