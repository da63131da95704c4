package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import dev.baton.lock.Lease;
import dev.baton.lock.LockContext;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.LockResult;
import dev.baton.lock.OnLost;
import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.cache.LockingCacheManager;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.interceptor.transaction.TransactionRules;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.JournalTransactionManager;
import dev.baton.lock.testing.LogCapture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests locks of callbacks that are acquired inside an active transaction. */
class ExecuteInTransactionTests {

    private static final LockRequest ACCOUNT = LockRequest.of("account");

    private final Journal journal = new Journal();
    private final TransactionTemplate transaction = new TransactionTemplate(new JournalTransactionManager(journal));
    private final LogCapture log = new LogCapture("dev.baton.lock.interceptor");
    private final List<LockTemplate> templates = new ArrayList<>();

    @AfterEach
    void stop() {
        log.close();
        templates.forEach(LockTemplate::close);
    }

    @Test
    void releaseKeepsTheLockUntilTheTransactionCompletes() {
        LockTemplate locks = template(InTransaction.RELEASE);
        inTransaction(() -> {
            locks.executeWithoutResult(ACCOUNT, lease -> journal.add("book"));
            journal.add("more");
        });
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.global", "book", "more", "commit", "release account.global");
    }

    @Test
    void releaseOfATryKeepsTheLockUntilTheTransactionCompletes() {
        LockTemplate locks = template(InTransaction.RELEASE);
        inTransaction(() -> {
            assertThat(locks.tryExecute(ACCOUNT, lease -> "booked")).isEqualTo(new LockResult.Executed<>("booked"));
            assertThat(locks.tryExecute(LockRequest.of("taken"), lease -> "booked"))
                    .isInstanceOf(LockResult.Busy.class);
        });
        assertThat(journal.entries())
                .containsSubsequence("begin", "acquire account.global", "commit", "release account.global");
    }

    @Test
    void lockIsKeptWhenTheWorkThrows() {
        LockTemplate locks = template(InTransaction.RELEASE);
        inTransaction(() -> assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> locks.execute(ACCOUNT, lease -> {
                    throw new IOException("the work's own");
                })));
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.global", "commit", "release account.global");
    }

    @Test
    void leaseIsCurrentDuringTheWorkOnly() {
        LockTemplate locks = template(InTransaction.RELEASE);
        inTransaction(() -> {
            locks.executeWithoutResult(
                    ACCOUNT, lease -> assertThat(LockContext.currentLease()).isSameAs(lease));
            assertThat(LockContext.findLease()).isEmpty();
        });
    }

    @Test
    void warningIsLoggedOncePerScopeWithTheRemedy() {
        LockTemplate locks = template(InTransaction.RELEASE);
        for (int i = 0; i < 2; i++) {
            LockRequest request = LockRequest.of("account", i);
            inTransaction(() -> locks.executeWithoutResult(request, lease -> {}));
        }
        assertThat(log.messages(Level.WARN))
                .containsExactly(
                        "Lock 'account.0' is acquired inside a transaction that is already active: it is held until"
                                + " that transaction completes, not only while the work runs, and the transaction may have read"
                                + " what the last holder has changed since. Acquire the lock first, and begin the transaction in"
                                + " its work. Logged once per scope.");
    }

    @Test
    void warnReleasesTheLockAfterTheWorkAndLogs() {
        LockTemplate locks = template(InTransaction.WARN);
        inTransaction(() -> locks.executeWithoutResult(ACCOUNT, lease -> journal.add("book")));
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.global", "book", "release account.global", "commit");
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("before the commit");
    }

    @Test
    void refuseFailsTheCallBeforeTheAcquire() {
        LockTemplate locks = template(InTransaction.REFUSE);
        inTransaction(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.executeWithoutResult(ACCOUNT, lease -> {}))
                    .withMessage("Lock 'account.global' is not acquired, because a transaction is already active"
                            + " (baton.in-transaction=refuse); acquire the lock first, and begin the transaction in its"
                            + " work");
            assertThatIllegalStateException().isThrownBy(() -> locks.tryExecute(ACCOUNT, lease -> 1));
            assertThatIllegalStateException()
                    .isThrownBy(() -> locks.computeIfAbsent(ACCOUNT, () -> null, () -> 1, value -> {}));
        });
        assertThat(journal.entries()).containsExactly("begin", "commit");
    }

    @Test
    void refuseAllowsAHeldLock() {
        LockTemplate locks = template(InTransaction.REFUSE);
        locks.executeWithoutResult(
                ACCOUNT,
                lease -> inTransaction(() -> locks.executeWithoutResult(ACCOUNT, again -> journal.add("book"))));
        assertThat(journal.entries()).contains("book", "commit");
    }

    @Test
    void lockIsReleasedAfterTheWorkWithoutATransaction() {
        template(InTransaction.REFUSE).executeWithoutResult(ACCOUNT, lease -> journal.add("book"));
        assertThat(journal.entries()).containsExactly("acquire account.global", "book", "release account.global");
    }

    @Test
    void explicitLeaseIsReleasedByTheCaller() {
        LockTemplate locks = template(InTransaction.REFUSE);
        inTransaction(() -> {
            try (Lease lease = locks.acquire(ACCOUNT)) {
                journal.add("book");
            }
        });
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.global", "book", "release account.global", "commit");
    }

    @Test
    void namespacesAndScopesFollowTheSameRules() {
        LockTemplate locks = template(InTransaction.RELEASE);
        inTransaction(() -> {
            locks.withNamespace("abroad").executeWithoutResult(ACCOUNT, lease -> {});
            locks.scope("invoice").execute(7, lease -> 7);
        });
        assertThat(journal.entries())
                .containsSubsequence("commit", "release account.global")
                .containsSubsequence("commit", "release invoice.7");
    }

    @Test
    void operationsThatIgnoreTransactionsReleaseTheLockAfterTheWork() {
        LockOperations locks = template(InTransaction.REFUSE).ignoringTransactions();
        inTransaction(() -> {
            locks.executeWithoutResult(ACCOUNT, lease -> journal.add("book"));
            locks.withNamespace("abroad").executeWithoutResult(ACCOUNT, lease -> journal.add("abroad"));
        });
        assertThat(journal.entries())
                .containsExactly(
                        "begin",
                        "acquire account.global",
                        "book",
                        "release account.global",
                        "acquire account.global",
                        "abroad",
                        "release account.global",
                        "commit");
        assertThat(log.messages(Level.WARN)).isEmpty();
    }

    @Test
    void lockOfACacheIsReleasedWhenTheValueIsStored() {
        LockingCacheManager caches = LockingCacheManager.builder(
                        new ConcurrentMapCacheManager("books"), template(InTransaction.REFUSE))
                .build();
        inTransaction(() ->
                assertThat(caches.getCache("books").get("k", () -> "Emma")).isEqualTo("Emma"));
        assertThat(journal.entries())
                .containsExactly("begin", "acquire cache.books.k", "release cache.books.k", "commit");
    }

    @Test
    void interruptOnLossIsAcceptedInsideATransaction() {
        LockTemplate locks = template(InTransaction.RELEASE);
        Accounts accounts = accounts(locks, InTransaction.RELEASE);
        inTransaction(() -> {
            locks.executeWithoutResult(ACCOUNT.onLost(OnLost.INTERRUPT), lease -> journal.add("book"));
            accounts.interrupted();
        });
        assertThat(journal.entries()).containsSubsequence("book", "interrupted", "commit");
    }

    @Test
    void lockOfAMethodIsCheckedOnce() {
        Accounts accounts = accounts(template(InTransaction.WARN), InTransaction.WARN);
        inTransaction(accounts::book);
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("Accounts.book is acquired");
    }

    private void inTransaction(Runnable work) {
        transaction.executeWithoutResult(status -> work.run());
    }

    private LockTemplate template(InTransaction mode) {
        LockTemplate template = LockTemplate.builder(new GrantingStore(journal))
                .transactions(TransactionRules.of(mode))
                .build();
        templates.add(template);
        return template;
    }

    private Accounts accounts(LockOperations operations, InTransaction mode) {
        LockAttributeSource source = new AnnotationLockAttributeSource(text -> text);
        LockInterceptor interceptor =
                new LockInterceptor(source, new DefaultListableBeanFactory(), () -> operations, mode);
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
        public void book() {
            journal.add("book");
        }

        @DistributedLock(scope = "account", onLost = OnLost.INTERRUPT)
        public void interrupted() {
            journal.add("interrupted");
        }
    }
}
