package dev.baton.lock.interceptor.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockLostException;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.testing.FakeLease;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.JournalTransactionManager;
import dev.baton.lock.testing.LockedContext;
import dev.baton.lock.testing.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class TransactionBoundLockTests {

    private AnnotationConfigApplicationContext context;

    private AccountService accounts;

    private Journal journal;

    private TransactionTemplate transaction;

    private LogCapture log;

    @BeforeEach
    void start() {
        log = new LogCapture(TransactionBoundLock.class.getName());
        context = LockedContext.start(
                EnableTransactions.class,
                JournalTransactionManager.class,
                AccountService.class,
                NestedTransactions.class);
        accounts = context.getBean(AccountService.class);
        journal = context.getBean(Journal.class);
        transaction = new TransactionTemplate(context.getBean(JournalTransactionManager.class));
    }

    @AfterEach
    void stop() {
        context.close();
        log.close();
    }

    @Test
    void lockIsAcquiredBeforeItsTransactionAndReleasedAfterTheCommit() {
        accounts.transfer("a");
        assertThat(journal.entries())
                .containsExactly("acquire account.a", "begin", "transfer", "commit", "release account.a");
        assertThat(log.messages(Level.WARN)).isEmpty();
    }

    @Test
    void lockIsReleasedAfterTheRollback() {
        assertThatIllegalStateException().isThrownBy(() -> accounts.failingTransfer("a"));
        assertThat(journal.entries()).containsExactly("acquire account.a", "begin", "rollback", "release account.a");
    }

    @Test
    void lockAcquiredInsideATransactionIsReleasedAfterTheTransaction() {
        transaction.executeWithoutResult(status -> {
            accounts.book("a");
            journal.add("more");
        });
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.a", "book", "more", "commit", "release account.a");
    }

    @Test
    void lockAcquiredInsideATransactionIsKeptWhenTheMethodThrows() {
        transaction.executeWithoutResult(status -> {
            assertThatIllegalStateException().isThrownBy(() -> accounts.failingBook("a"));
            journal.add("more");
        });
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.a", "more", "commit", "release account.a");
    }

    @Test
    void lockAcquiredInsideATransactionIsReleasedAfterTheRollback() {
        transaction.executeWithoutResult(status -> {
            accounts.book("a");
            status.setRollbackOnly();
        });
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.a", "book", "rollback", "release account.a");
    }

    @Test
    void everyLockAcquiredInsideATransactionIsReleased() {
        transaction.executeWithoutResult(
                status -> context.getBean(NestedTransactions.class).outer());
        assertThat(journal.entries())
                .containsExactly(
                        "begin",
                        "acquire account.a",
                        "acquire account.a",
                        "book",
                        "commit",
                        "release account.a",
                        "release account.a");
    }

    @Test
    void lockOfANewTransactionIsKeptUntilTheOuterTransactionCompletes() {
        transaction.executeWithoutResult(status -> accounts.bookApart("a"));
        assertThat(journal.entries())
                .containsExactly(
                        "begin",
                        "acquire account.a",
                        "suspend",
                        "begin",
                        "book",
                        "commit",
                        "resume",
                        "commit",
                        "release account.a");
    }

    @Test
    void lockAcquiredUnderSynchronizationOnlyIsReleasedAtOnce() {
        transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
        transaction.executeWithoutResult(status -> {
            accounts.book("a");
            journal.add("more");
        });
        assertThat(journal.entries()).containsExactly("acquire account.a", "book", "release account.a", "more");
    }

    @Test
    void leaseIsCurrentInsideATransaction() {
        transaction.executeWithoutResult(
                status -> assertThat(accounts.token("a")).isEqualTo(1));
        assertThat(LockContext.findLease()).isEmpty();
    }

    @Test
    void warnsOncePerMethodWithTheRemedy() {
        for (int i = 0; i < 3; i++) {
            transaction.executeWithoutResult(status -> accounts.book("a"));
        }
        assertThat(log.messages(Level.WARN))
                .containsExactly(
                        "Lock 'account.a' of " + AccountService.class.getName()
                                + ".book is acquired inside a transaction that is already active: it is held until that transaction"
                                + " completes, not only while the method runs, and the transaction may have read what the last"
                                + " holder has changed since. Put @DistributedLock on the method that begins the transaction. Logged once per method.");
        transaction.executeWithoutResult(status -> accounts.token("a"));
        assertThat(log.messages(Level.WARN)).hasSize(2);
    }

    @Test
    void lossBeforeTheCommitRollsBack() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> accounts.lose("a")))
                .withMessageContaining("account.a");
        assertThat(journal.entries()).containsExactly("begin", "acquire account.a", "rollback");
        assertThat(log.messages(Level.ERROR)).isEmpty();
    }

    @Test
    void lossDuringTheCommitIsLogged() {
        transaction.executeWithoutResult(status -> {
            FakeLease lease = accounts.lease("a");
            afterCommit(lease::lose);
        });
        assertThat(journal.entries()).containsExactly("begin", "acquire account.a", "commit");
        assertThat(log.messages(Level.ERROR))
                .containsExactly(
                        "A lock was lost before the transaction that it protected had been committed: another holder may have worked on the same data. Check what both wrote; keep the transaction shorter than the lease,"
                                + " or raise expire");
    }

    @Test
    void lossBeforeARollbackIsLogged() {
        assertThatIllegalStateException()
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    accounts.lose("a");
                    throw new IllegalStateException();
                }));
        assertThat(log.messages(Level.ERROR)).singleElement().asString().contains("had been rolled back");
    }

    private static void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    @EnableTransactionManagement
    static class EnableTransactions {}

    static class AccountService {

        private final Journal journal;

        AccountService(Journal journal) {
            this.journal = journal;
        }

        @DistributedLock(scope = "account", key = "#id")
        @Transactional
        public void transfer(String id) {
            journal.add("transfer");
        }

        @DistributedLock(scope = "account", key = "#id")
        @Transactional
        public void failingTransfer(String id) {
            throw new IllegalStateException();
        }

        @DistributedLock(scope = "account", key = "#id")
        public void book(String id) {
            journal.add("book");
        }

        @DistributedLock(scope = "account", key = "#id")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void bookApart(String id) {
            journal.add("book");
        }

        @DistributedLock(scope = "account", key = "#id")
        public void failingBook(String id) {
            throw new IllegalStateException();
        }

        @DistributedLock(scope = "account", key = "#id")
        public long token(String id) {
            return LockContext.currentLease().fencingToken();
        }

        @DistributedLock(scope = "account", key = "#id")
        public FakeLease lease(String id) {
            return (FakeLease) LockContext.currentLease();
        }

        @DistributedLock(scope = "account", key = "#id")
        public void lose(String id) {
            lease(id).lose();
        }
    }

    static class NestedTransactions {

        private final AccountService accounts;

        NestedTransactions(AccountService accounts) {
            this.accounts = accounts;
        }

        @DistributedLock(scope = "account", key = "'a'")
        public void outer() {
            accounts.book("a");
        }
    }
}
