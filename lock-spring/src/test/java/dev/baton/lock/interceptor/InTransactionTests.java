package dev.baton.lock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import dev.baton.lock.LockOperations;
import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.interceptor.transaction.TransactionBoundLock;
import dev.baton.lock.testing.FakeLockOperations;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.JournalTransactionManager;
import dev.baton.lock.testing.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests locks that are acquired inside an active transaction; {@code TransactionBoundLockTests} tests the default. */
class InTransactionTests {

    private final Journal journal = new Journal();

    private final FakeLockOperations locks = new FakeLockOperations(journal);

    private final TransactionTemplate transaction = new TransactionTemplate(new JournalTransactionManager(journal));

    private LogCapture log;

    @BeforeEach
    void start() {
        log = new LogCapture(TransactionBoundLock.class.getName());
    }

    @AfterEach
    void stop() {
        log.close();
    }

    @Test
    void releaseKeepsTheLockUntilTheTransactionCompletes() {
        Accounts accounts = accounts(InTransaction.RELEASE);
        transaction.executeWithoutResult(status -> accounts.book());
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.global", "book", "commit", "release account.global");
        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @Test
    void warnReleasesTheLockAfterTheMethodAndLogsOnce() {
        Accounts accounts = accounts(InTransaction.WARN);
        for (int i = 0; i < 2; i++) {
            transaction.executeWithoutResult(status -> accounts.book());
        }
        assertThat(journal.entries().subList(0, 5))
                .containsExactly("begin", "acquire account.global", "book", "release account.global", "commit");
        assertThat(log.messages(Level.WARN))
                .containsExactly("Lock 'account.global' of " + Accounts.class.getName()
                        + ".book is acquired inside a transaction that is already active: it is released when the method"
                        + " returns, before the commit, and the next holder may not see what this one wrote. Put"
                        + " @DistributedLock on the method that begins the transaction. Logged once per method.");
    }

    @Test
    void refuseFailsTheCallBeforeTheAcquire() {
        Accounts accounts = accounts(InTransaction.REFUSE);
        transaction.executeWithoutResult(status -> assertThatIllegalStateException()
                .isThrownBy(accounts::book)
                .withMessage("Lock 'account.global' of " + Accounts.class.getName()
                        + ".book is not acquired, because a transaction is already active (baton.in-transaction=refuse); put"
                        + " @DistributedLock on the method that begins the transaction"));
        assertThat(journal.entries()).containsExactly("begin", "commit");
    }

    @Test
    void refuseAllowsAHeldLock() {
        Accounts accounts = accounts(InTransaction.REFUSE);
        accounts.transfer(() -> transaction.executeWithoutResult(status -> accounts.book()));
        assertThat(journal.entries()).contains("book").doesNotContain("rollback");
    }

    @Test
    void heldLockIsNotWarnedAbout() {
        Accounts accounts = accounts(InTransaction.RELEASE);
        accounts.transfer(() -> transaction.executeWithoutResult(status -> accounts.book()));
        assertThat(journal.entries()).contains("book");
        assertThat(log.messages(Level.WARN)).isEmpty();
    }

    @Test
    void callWithoutATransactionIsNotRefused() {
        accounts(InTransaction.REFUSE).book();
        assertThat(journal.entries()).containsExactly("acquire account.global", "book", "release account.global");
    }

    private Accounts accounts(InTransaction mode) {
        LockAttributeSource source = new AnnotationLockAttributeSource(text -> text);
        LockInterceptor interceptor =
                new LockInterceptor(source, new DefaultListableBeanFactory(), () -> (LockOperations) locks, mode);
        ProxyFactory proxy = new ProxyFactory(new Accounts(journal));
        proxy.addAdvisor(new LockAdvisor(source, interceptor));
        return (Accounts) proxy.getProxy();
    }

    static class Accounts {

        private final Journal journal;

        Accounts(Journal journal) {
            this.journal = journal;
        }

        @DistributedLock("account")
        public void transfer(Runnable work) {
            work.run();
        }

        @DistributedLock("account")
        public void book() {
            journal.add("book");
        }
    }
}
