package dev.baton.lock.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import dev.baton.lock.Lease;
import dev.baton.lock.LockOperations;
import dev.baton.lock.LockRequest;
import dev.baton.lock.annotation.AnnotationLockAttributeSource;
import dev.baton.lock.annotation.DistributedLock;
import dev.baton.lock.interceptor.InTransaction;
import dev.baton.lock.interceptor.LockAttributeSource;
import dev.baton.lock.interceptor.advice.LockAdvisor;
import dev.baton.lock.interceptor.advice.LockInterceptor;
import dev.baton.lock.testing.Journal;
import dev.baton.lock.testing.JournalTransactionManager;
import dev.baton.lock.testing.LogCapture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests whether a locked method that is called in an active transaction counts its lock as held by its thread. */
class ReentryInTransactionTests {

    private static final LockRequest ACCOUNT = LockRequest.of("account");

    private final Journal journal = new Journal();
    private final LockTemplate locks =
            LockTemplate.builder(new GrantingStore(journal)).build();
    private final TransactionTemplate transaction = new TransactionTemplate(new JournalTransactionManager(journal));
    private final Accounts accounts = accounts(locks, InTransaction.REFUSE);

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    void lockOfAnOuterMethodIsHeld() {
        accounts.book(() -> accounts.audit(() -> inTransaction(accounts::book)));
        assertThat(journal.entries()).contains("book");
    }

    @Test
    void lockOfTheOuterWorkIsHeld() {
        locks.executeWithoutResult(ACCOUNT, lease -> inTransaction(accounts::book));
        assertThat(journal.entries()).contains("book");
    }

    @Test
    void lockOfALeaseOfThisThreadIsHeld() {
        try (Lease lease = locks.acquire(ACCOUNT)) {
            inTransaction(accounts::book);
        }
        locks.tryAcquire(ACCOUNT).ifPresent(lease -> {
            inTransaction(accounts::book);
            lease.close();
        });
        assertThat(journal.entries()).containsSubsequence("book", "book");
    }

    @Test
    void releasedLockIsNotHeld() {
        locks.acquire(ACCOUNT).close();
        assertRefused(accounts::book);
    }

    @Test
    void lockOfALeaseOfAnotherThreadIsNotHeld() throws Exception {
        Lease lease =
                CompletableFuture.supplyAsync(() -> locks.acquire(ACCOUNT)).get(10, TimeUnit.SECONDS);
        assertRefused(accounts::book);
        lease.close();
    }

    @Test
    void lockOfTheSameNameInAnotherNamespaceIsNotHeld() {
        accounts.bookAbroad(() -> assertRefused(accounts::book));
        accounts.book(() -> assertRefused(() -> accounts.bookAbroad(() -> {})));
    }

    @Test
    void lockInTheSameNamespaceIsHeld() {
        accounts.bookAbroad(() -> inTransaction(() -> accounts.bookAbroad(() -> journal.add("abroad"))));
        locks.withNamespace("abroad")
                .executeWithoutResult(
                        ACCOUNT, lease -> inTransaction(() -> accounts.bookAbroad(() -> journal.add("abroad"))));
        assertThat(journal.entries()).containsSubsequence("abroad", "abroad");
    }

    @Test
    void lockOfNamespacedOperationsIsHeld() {
        Accounts inside = accounts(locks.withNamespace("abroad"), InTransaction.REFUSE);
        inside.book(() -> inTransaction(inside::book));
        assertThat(journal.entries()).contains("book");
        assertRefused(() -> accounts.book(() -> inTransaction(inside::book)));
    }

    @Test
    void lockOfANamedOwnerIsHeldByTheOuterWork() {
        accounts.bookFor("web", () -> inTransaction(() -> accounts.bookFor("web", () -> journal.add("again"))));
        assertThat(journal.entries()).contains("again");
        accounts.bookFor("web", () -> assertRefused(accounts::book));
    }

    @Test
    void lockKeptUntilTheTransactionCompletesIsHeldByLaterMethods() {
        Accounts kept = accounts(locks, InTransaction.RELEASE);
        try (LogCapture log = new LogCapture("dev.baton.lock.interceptor")) {
            inTransaction(() -> {
                kept.book();
                kept.book(() -> {});
            });
            assertThat(log.messages(Level.WARN)).singleElement().asString().contains("Accounts.book is acquired");
        }
        assertThat(journal.entries())
                .containsExactly("begin", "acquire account.global", "book", "commit", "release account.global");
    }

    private void inTransaction(Runnable work) {
        transaction.executeWithoutResult(status -> work.run());
    }

    private void assertRefused(Runnable call) {
        inTransaction(() -> assertThatIllegalStateException()
                .isThrownBy(call::run)
                .withMessageContaining("is not acquired, because a transaction is already active"));
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

        @DistributedLock("account")
        public void book(Runnable work) {
            work.run();
        }

        @DistributedLock("audit")
        public void audit(Runnable work) {
            work.run();
        }

        @DistributedLock(scope = "account", namespace = "abroad")
        public void bookAbroad(Runnable work) {
            work.run();
        }

        @DistributedLock(scope = "account", owner = "#p0")
        public void bookFor(String owner, Runnable work) {
            work.run();
        }
    }
}
